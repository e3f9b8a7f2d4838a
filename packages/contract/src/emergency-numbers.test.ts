import { expect, it } from "vitest";
import { EMERGENCY_COUNTRIES, emergencyNumbers } from "./emergency-numbers.ts";

it("lists each country once, by a valid code and with numbers that can be dialed", () => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  expect(new Set(EMERGENCY_COUNTRIES).size).toBe(EMERGENCY_COUNTRIES.length);
  for (const country of EMERGENCY_COUNTRIES) {
    expect(names.of(country), country).toBeTruthy();
    const { police, ambulance, known } = emergencyNumbers(country);
    expect([known, /^\d{2,5}$/.test(police), /^\d{2,5}$/.test(ambulance)], country).toEqual([true, true, true]);
  }
  expect(emergencyNumbers("NO")).toEqual({ police: "112", ambulance: "113", known: true });
  expect(emergencyNumbers("TV")).toEqual({ police: "112", ambulance: "112", known: false });
});
