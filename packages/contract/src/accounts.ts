import { z } from "zod";
import { AgeRule } from "./age.ts";
import { EMAIL_MAX_CHARS, PASSWORD_MAX_CHARS } from "./limits.ts";
import { Id, Time } from "./primitives.ts";

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_MAX_CHARS)
  .refine((email) => /^[^\s\p{C}@,;:<>()[\]\\"]+@[^\s\p{C}@,;:<>()[\]\\"]+\.[^\s\p{C}@.,;:<>()[\]\\"]+$/u.test(email), {
    message: "is not an email address",
  });

export const Locale = z.enum(["en", "es"]);
export type Locale = z.infer<typeof Locale>;

/** POST /api/auth, the form fields; `username` is the address. */
export const Credentials = z.object({
  username: z.string().trim().toLowerCase().max(EMAIL_MAX_CHARS),
  password: z.string().min(1).max(PASSWORD_MAX_CHARS),
  remember: z.union([z.boolean(), z.stringbool()]).default(false),
});

/** The `token` of a login link: base64 of "email:code". */
export const LoginToken = z.object({
  token: z.string().min(1).max(1000),
  remember: z.boolean().default(true),
  /** Confirms the named account; needed on a device that did not ask for the link. */
  confirmed: z.boolean().default(false),
});

/** What a member accepts before the first login, by the names that an acceptance must hold. */
export const ACKNOWLEDGEMENTS = ["cookies", "adult", "geolocation"] as const;

/** A shorter text cannot be an acceptance, such as "cookies: no". */
const ACCEPTED_TEXT_MIN_CHARS = 20;

/** Each of the three by its name, alone or followed by a colon and the text that was accepted; a semicolon or a new line between. */
function namesAllAcknowledgements(text: string): boolean {
  const parts = text.split(/[;\n]/).map((part) => part.trim().toLowerCase());
  return ACKNOWLEDGEMENTS.every((name) =>
    parts.some(
      (part) => part === name || (part.startsWith(`${name}:`) && part.length - name.length > ACCEPTED_TEXT_MIN_CHARS),
    ),
  );
}

export const Registration = z.object({
  email: Email,
  /** The acceptance text: "cookies; adult; geolocation", or each name with the text that was accepted. */
  acknowledgements: z
    .string()
    .trim()
    .max(20_000)
    .refine(namesAllAcknowledgements, { message: "Acceptance of all of the acknowledgements above are required." }),
  locale: Locale.default("en"),
});

/** What the page that asked for a mail keeps, to prove with the mail's digits that it did. The same whether or not a mail went out. */
export const RegistrationAnswer = z.object({ ticket: z.string() });

/** The six digits of the mail, with the ticket of the page that asked for it. */
export const LoginDigits = z.object({
  ticket: z.string().min(1).max(100),
  digits: z
    .string()
    .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
    .refine((digits) => /^\d{6}$/.test(digits), { message: "has six digits" }),
  remember: z.boolean().default(true),
});

/** What the client must know of its own session. */
export const SessionContext = z.object({
  loggedIn: z.boolean(),
  profileId: Id.nullable(),
  profileName: z.string(),
  /** Without one the member is shown to nobody: the site is for adults. */
  hasBirthdate: z.boolean(),
  roles: z.array(z.string()),
  /** Why the member may not use the community now, or null. */
  standing: z.object({ status: z.enum(["suspended", "banned"]), until: Time.nullable() }).nullable(),
  hidden: z.boolean(),
  /** False until the member has answered whether sister brands may show them. */
  sharingChosen: z.boolean(),
  /** The bits of the brands that show the member. */
  sharedOn: z.number().int(),
  /** Whether explicit pictures may be seen: as they are, after a proof of age, or not at all where the member is. */
  explicitPictures: AgeRule,
  locale: Locale,
  unreadMessages: z.number().int(),
  notifications: z.number().int(),
});
export type SessionContext = z.infer<typeof SessionContext>;
