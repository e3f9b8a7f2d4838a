import { z } from "zod";
import { Email, Locale } from "./accounts.ts";
import { PASSWORD_MAX_CHARS, REAL_NAME_MAX_CHARS } from "./limits.ts";
import { Id, Line, Time } from "./primitives.ts";

/** A member's own account as only the member reads it. Hashes and keys stay on the server. */
export const Settings = z.object({
  defaultProfileId: Id,
  /** Real name, for mail and support; never shown to members. */
  name: z.string(),
  email: z.string(),
  /** An address that waits for its confirmation link. */
  emailPending: z.string().nullable(),
  hasPassword: z.boolean(),
  roles: z.array(z.string()),
  applicationServerKey: z.string(),
  pushSubscriptions: z.array(
    z.object({
      id: Id,
      deviceName: z.string(),
      endpoint: z.string(),
      expirationTime: z.number(),
      thisDevice: z.boolean(),
    }),
  ),
  homeBrand: z.string(),
  /** Bits of the brands on which the profile is shown. */
  sharedOn: z.number().int(),
  locale: Locale,
  /** This session proved a moment ago that its owner asks: nothing more is asked for. */
  fresh: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** Proof of the account's owner: the current password, needed where the session did not prove a moment ago that its owner asks. */
const currentPassword = z.string().max(PASSWORD_MAX_CHARS).optional();

/** PUT /api/settings: fields that are absent stay. A new email is only used once its confirmation link was opened. */
export const SettingsUpdate = z.object({
  name: Line.min(1, { message: "is required" }).max(REAL_NAME_MAX_CHARS).optional(),
  email: Email.optional(),
  password: z.string().max(PASSWORD_MAX_CHARS).optional(),
  currentPassword,
  locale: Locale.optional(),
});
export type SettingsUpdate = z.input<typeof SettingsUpdate>;

/** Which sister brands show the profile; the home brand always does. */
export const Sharing = z.object({ sharedOn: z.number().int().min(0).max(63) });

export const EmailConfirmation = z.object({ token: z.string().min(1).max(1000) });

/** A device that is logged in. */
export const SessionEntry = z.object({
  id: Id,
  deviceLabel: z.string(),
  brand: z.string(),
  tsCreated: Time,
  tsLastUsed: Time,
  thisDevice: z.boolean(),
});
export type SessionEntry = z.infer<typeof SessionEntry>;

/** What deleting the account and downloading its data ask for. */
export const OwnerProof = z.object({ currentPassword });

/** What a member sees of a deletion they asked for. */
export const DeletedAccount = z.object({ tsPurge: Time });
