import { SHOW_NSFW } from "./device-keys.ts";
import { useDevice } from "./device-storage.ts";

/** Whether this device shows NSFW pictures, and the setter. */
export function useNsfw(): readonly [boolean, (show: boolean) => void] {
  return useDevice(SHOW_NSFW);
}
