import { pageBrand } from "../format/site.ts";
import { type DeviceKey, readDevice, subscribeDevice, useDevice } from "./device-storage.ts";

export const THEME_CHOICES = ["dark", "light", "system"] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const THEME: DeviceKey<ThemeChoice> = {
  name: "theme",
  fallback: "dark",
  accepts: (value): value is ThemeChoice => THEME_CHOICES.includes(value as ThemeChoice),
};

/** The device's choice: dark unless light was chosen, or to follow the system. */
export function useTheme(): readonly [ThemeChoice, (choice: ThemeChoice) => void] {
  return useDevice(THEME);
}

const systemLight = () => window.matchMedia("(prefers-color-scheme: light)");

function applyTheme(): void {
  const brand = pageBrand();
  const choice = readDevice(THEME);
  const light = choice === "light" || (choice === "system" && systemLight().matches);
  const root = document.documentElement;
  root.dataset.theme = light ? "light" : "dark";
  root.dataset.brand = brand.id;
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", light ? brand.light.surface : brand.dark.surface);
}

/** Keeps the document in the chosen theme; call once, before the first paint. */
export function startTheme(): void {
  applyTheme();
  subscribeDevice(THEME, applyTheme);
  systemLight().addEventListener("change", applyTheme);
}
