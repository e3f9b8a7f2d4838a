import { z } from "zod";
import { Email, Locale, MailedToken } from "./accounts.ts";
import { KeptDisclosures } from "./disclosures.ts";
import { PASSWORD_MAX_CHARS, REAL_NAME_MAX_CHARS } from "./limits.ts";
import { Id, SingleLine, Time } from "./primitives.ts";
import { PushSubscriptionEntry } from "./push.ts";

/** A member's account as only they see it. Hashes and keys stay on the server. */
export const Settings = z.object({
  defaultProfileId: Id,
  /** Real name, for mail and support; never shown to members. */
  name: z.string(),
  email: z.string(),
  /** A new address whose confirmation link was not opened yet. */
  emailPending: z.string().nullable(),
  hasPassword: z.boolean(),
  /** When the last download of the account's data began. */
  tsExported: Time.nullable(),
  roles: z.array(z.string()),
  applicationServerKey: z.string(),
  pushSubscriptions: z.array(PushSubscriptionEntry),
  homeBrand: z.string(),
  /** Bit set of the brands that show the profile. */
  sharedOn: z.number().int(),
  /** Only members see the profile whom this member likes, wrote to or opened the album to. */
  discreet: z.boolean(),
  locale: Locale,
  /** This session has a fresh proof, so no further confirmation is needed. */
  fresh: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** Required unless the session has a fresh proof. */
const currentPassword = z.string().max(PASSWORD_MAX_CHARS).optional();

/** PUT /api/settings. Absent fields remain unchanged; a new email takes effect once its confirmation link is opened. */
export const SettingsUpdate = z.object({
  name: SingleLine.min(1).max(REAL_NAME_MAX_CHARS).optional(),
  email: Email.optional(),
  password: z.string().max(PASSWORD_MAX_CHARS).optional(),
  currentPassword,
  locale: Locale.optional(),
  /** With a password, which takes back all other disclosures. */
  keep: KeptDisclosures,
});
export type SettingsUpdate = z.input<typeof SettingsUpdate>;

/** Which sister brands show the profile; the home brand always does. */
export const Sharing = z.object({ sharedOn: z.number().int().min(0).max(63) });

export const Discretion = z.object({ discreet: z.boolean() });

/** The code of the link in the mail, the new address that the member was shown and agreed to, and the disclosures to keep. */
export const EmailConfirmation = z.object({ token: MailedToken, email: Email, keep: KeptDisclosures });

/** A logged-in device. */
export const SessionEntry = z.object({
  id: Id,
  deviceLabel: z.string(),
  brand: z.string(),
  tsCreated: Time,
  tsLastUsed: Time,
  thisDevice: z.boolean(),
});

/** Required to delete the account and to download its data. */
export const OwnerProof = z.object({ currentPassword });

/** Where the browser itself downloads the account's data, with the same session, for `FRESH_PROOF_MS`. */
export const ExportLink = z.object({ url: z.string() });

/** A pending deletion that the member requested. */
export const DeletedAccount = z.object({ tsPurge: Time });
