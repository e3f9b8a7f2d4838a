import { z } from "zod";
import { Id, Time } from "./primitives.ts";

/** A member whom the viewer blocked. Who blocked the viewer is never told. */
export const BlockedMember = z.object({
  profileId: Id,
  /** null: the member cannot be seen on this brand now. */
  profileName: z.string().nullable(),
  tsCreated: Time,
});
export type BlockedMember = z.infer<typeof BlockedMember>;

/** An address whose owner the member never wants to meet. Which it is, the server cannot say. */
export const KeptAwayAddress = z.object({ id: Id, tsCreated: Time });
export type KeptAwayAddress = z.infer<typeof KeptAwayAddress>;
