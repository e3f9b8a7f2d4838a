import { SHOW_NSFW } from "./device-keys.ts";
import { useDeviceValue } from "./device-storage.ts";

/** Whether this device shows NSFW pictures, and its setter. */
export function useNsfw(): readonly [boolean, (show: boolean) => void] {
  return useDeviceValue(SHOW_NSFW);
}
