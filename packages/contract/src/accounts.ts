import { z } from "zod";
import { AgeRule } from "./age.ts";
import type { InputProblem } from "./input-problems.ts";
import { EMAIL_MAX_CHARS, PASSWORD_MAX_CHARS, TYPED_MAX_CHARS } from "./limits.ts";
import { asMailedToken } from "./mailed-token.ts";
import { Id, refuseCharacter, Time } from "./primitives.ts";
import { ProofOfWork } from "./proof-of-work.ts";
import { asAddress, asCodeOf, asciiDomain, wrongCharacterOf } from "./typed.ts";

/** An address as a person typed or pasted it; it is sent to in that spelling. */
export const Email = z
  .string()
  .max(TYPED_MAX_CHARS)
  .overwrite(asAddress)
  .max(EMAIL_MAX_CHARS)
  .superRefine((email, context) => {
    const message = problemOfAddress(email);
    if (message) context.addIssue({ code: "custom", message });
  });

function problemOfAddress(email: string): string | undefined {
  if (/^"[^"]*"@/.test(email)) return "QUOTED_EMAIL" satisfies InputProblem;
  const wrong = wrongCharacterOf(email);
  if (wrong !== undefined) return `${"WRONG_CHARACTER" satisfies InputProblem} ${wrong.codePointAt(0)}`;
  return isSendable(email) ? undefined : ("NO_EMAIL" satisfies InputProblem);
}

/** A domain that the DNS can hold; no IP address. */
const DOMAIN = /^(?:(?!-)[^.]{0,62}[^.-]\.)+(?!\d+$|-)[^.]{0,62}[^.-]$/;

/** At most 64 bytes before the @ and 254 in all, by the standards of mail, with the domain in the letters of the DNS. */
function isSendable(email: string): boolean {
  const [name = "", domain = ""] = email.split("@");
  const ascii = asciiDomain(domain) ?? "";
  const { length } = new TextEncoder().encode(name);
  return length > 0 && length <= 64 && length + 1 + ascii.length <= EMAIL_MAX_CHARS && DOMAIN.test(ascii);
}

export const Locale = z.enum(["en", "es"]);
export type Locale = z.infer<typeof Locale>;

/** POST /api/auth, as form fields. `username` is the email address. */
export const Credentials = z.object({
  username: z.string().max(TYPED_MAX_CHARS).overwrite(asAddress),
  password: z.string().min(1).max(PASSWORD_MAX_CHARS),
  remember: z.union([z.boolean(), z.stringbool()]).default(false),
});

/** The code of a link in a mail. What holds no letter of a code is no fault of input, but no valid link either. */
export const MailedToken = z.string().min(1).max(TYPED_MAX_CHARS).overwrite(asMailedToken);

/** The `token` of a login link: base64 of "email:code". */
export const LoginToken = z.object({
  token: MailedToken,
  remember: z.boolean().default(true),
  /** The user confirmed which account to open; required on a device that did not request the link. */
  confirmed: z.boolean().default(false),
});

/** What a member must accept to register; the acceptance text must name each of these. */
export const ACKNOWLEDGEMENTS = ["cookies", "adult", "geolocation"] as const;

/** Anything shorter is not an acceptance, such as "cookies: no". */
const ACCEPTED_TEXT_MIN_CHARS = 20;

/** Each name stands alone or is followed by a colon and the accepted text; entries are separated by semicolons or line breaks. */
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
  /** "cookies; adult; geolocation", or each name with the accepted text. */
  acknowledgements: z
    .string()
    .trim()
    .max(20_000)
    .refine(namesAllAcknowledgements, { message: "Acceptance of all of the acknowledgements above are required." }),
  locale: Locale.default("en"),
  /** After WORK_NEEDED. */
  proof: ProofOfWork.optional(),
});

/** The page keeps the ticket to log in with the digits from the mail. The response is the same whether or not a mail was sent. */
export const RegistrationResponse = z.object({ ticket: z.string() });

/** The six digits from the mail, with the ticket of the page that requested it. */
export const LoginDigits = z.object({
  ticket: z.string().min(1).max(100),
  digits: z
    .string()
    .max(TYPED_MAX_CHARS)
    .overwrite(asCodeOf(6))
    .superRefine(refuseCharacter(/[^0-9]/u))
    .refine((digits) => digits.length === 6, "SIX_DIGITS"),
  remember: z.boolean().default(true),
});

/** What the client needs to know about its own session. */
export const SessionContext = z.object({
  loggedIn: z.boolean(),
  profileId: Id.nullable(),
  profileName: z.string(),
  /** Without a birthdate the member is invisible, because the site is for adults. */
  hasBirthdate: z.boolean(),
  roles: z.array(z.string()),
  /** Set while the member is suspended or banned. */
  standing: z.object({ status: z.enum(["suspended", "banned"]), until: Time.nullable() }).nullable(),
  hidden: z.boolean(),
  discreet: z.boolean(),
  /** False until the member has chosen whether sister brands may show them. */
  sharingChosen: z.boolean(),
  /** Bit set of the brands that show the member. */
  sharedOn: z.number().int(),
  /** Whether the member may see explicit pictures: freely, after a proof of age, or not at all where they are. */
  explicitPictures: AgeRule,
  locale: Locale,
  unreadMessages: z.number().int(),
  notifications: z.number().int(),
});
export type SessionContext = z.infer<typeof SessionContext>;
