import { DISGUISE_IDS, type DisguiseId } from "@lambda/contract/disguises";
import { deviceKey } from "./device-storage.ts";

/** The name and icon that this device shows instead of the brand's. The server never learns of it. */
export interface DeviceDisguise {
  readonly id: DisguiseId;
  /** In the language in which it was chosen, to match the name under the installed icon. */
  readonly name: string;
}

export const DISGUISE = deviceKey<DeviceDisguise | null>("disguise", null, (value) =>
  DISGUISE_IDS.includes((value as Partial<DeviceDisguise> | undefined)?.id as DisguiseId),
);
