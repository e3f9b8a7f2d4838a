import { GEO } from "../../../device/device-keys.ts";
import { type DeviceKey, readDeviceValue, subscribeDeviceValue } from "../../../device/device-storage.ts";
import { hasSession } from "../../../device/session-cookie.ts";
import type { ReportingState } from "./machine-types.ts";
import { dispatchReporting, PRECISION, readReporting } from "./reporter.ts";

type Choice = Partial<ReportingState>;

/** Otherwise this tab would go on to report the GPS, or a finer cell, after the member chose differently in another one. */
export function followTabs(): () => void {
  const ends = [
    follow(GEO, (geo) => geo, { fix: null, stay: null, examinedAt: null }),
    follow(PRECISION, (precision) => ({ precision })),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function follow<Value>(key: DeviceKey<Value>, toChoice: (value: Value) => Choice, forgotten: Choice = {}): () => void {
  let known = JSON.stringify(readDeviceValue(key));
  return subscribeDeviceValue(key, () => {
    const [value, state] = [readDeviceValue(key), readReporting()];
    const choice = toChoice(value);
    // Everything is read again when the key of the storage changes.
    const isKnown =
      known === JSON.stringify(value) || JSON.stringify({ ...state, ...choice }) === JSON.stringify(state);
    known = JSON.stringify(value);
    if (!isKnown && hasSession()) dispatchReporting({ type: "adopted", choice: { ...choice, ...forgotten } });
  });
}
