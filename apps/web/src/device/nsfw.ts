import { SHOW_NSFW } from "./device-keys.ts";
import { useDeviceValue } from "./device-storage.ts";

export const useNsfw = (): readonly [boolean, (show: boolean) => void] => useDeviceValue(SHOW_NSFW);
