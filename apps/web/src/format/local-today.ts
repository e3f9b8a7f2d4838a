import { serverDate } from "../device/server-clock.ts";

/** Today in the device's time zone, as YYYY-MM-DD. */
export function localToday(now = serverDate()): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
