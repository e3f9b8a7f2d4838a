import { DISGUISE_IDS, type DisguiseId } from "@lambda/contract/disguises";
import type { DeviceKey } from "./device-storage.ts";

/** The name and icon that this device shows instead of the brand's. The server is told nothing of it. */
export interface Face {
  readonly id: DisguiseId;
  /** In the language in which it was chosen, as it stands under the installed icon. */
  readonly name: string;
}

export const DISGUISE: DeviceKey<Face | null> = {
  name: "disguise",
  fallback: null,
  accepts: (value): value is Face | null =>
    value === null || DISGUISE_IDS.includes((value as Partial<Face> | undefined)?.id as DisguiseId),
};
