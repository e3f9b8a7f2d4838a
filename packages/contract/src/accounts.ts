import { z } from "zod";
import { EMAIL_MAX_CHARS, PASSWORD_MAX_CHARS } from "./limits.ts";
import { Id, Time } from "./primitives.ts";

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_MAX_CHARS)
  .refine((email) => /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+\.[^\s@.,;:<>()[\]\\"]+$/.test(email), {
    message: "is not an email address",
  });

export const Locale = z.enum(["en", "es"]);
export type Locale = z.infer<typeof Locale>;

/** POST /api/auth: the form fields of SPEC section 7; `username` is the address. */
export const Credentials = z.object({
  username: z.string().trim().toLowerCase().max(EMAIL_MAX_CHARS),
  password: z.string().min(1).max(PASSWORD_MAX_CHARS),
  remember: z.union([z.boolean(), z.stringbool()]).default(false),
});

/** The `token` of a login link: base64 of "email:code". */
export const LoginToken = z.object({ token: z.string().min(1).max(1000), remember: z.boolean().default(true) });

export const Registration = z.object({
  email: Email,
  /** The text of the acknowledgements that were accepted. */
  acknowledgements: z
    .string()
    .trim()
    .min(1, { message: "Acceptance of all of the acknowledgements above are required." })
    .max(20_000),
  locale: Locale.default("en"),
});

/** What the client must know of its own session (SPEC section 3, session context). */
export const SessionContext = z.object({
  loggedIn: z.boolean(),
  profileId: Id.nullable(),
  profileName: z.string(),
  roles: z.array(z.string()),
  /** Why he may not use the community now, or null. */
  standing: z.object({ status: z.enum(["suspended", "banned"]), until: Time.nullable() }).nullable(),
  hidden: z.boolean(),
  /** False until he answered whether the sister brands may show him. */
  sharingChosen: z.boolean(),
  /** The bits of the brands he is shared on. */
  sharedOn: z.number().int(),
  locale: Locale,
  unreadMessages: z.number().int(),
  notifications: z.number().int(),
});
export type SessionContext = z.infer<typeof SessionContext>;
