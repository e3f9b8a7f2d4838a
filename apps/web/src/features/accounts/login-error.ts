import type { ErrorCode } from "@lambda/contract/errors";
import { inputProblemText } from "@lambda/contract/input-problems";
import { asAddress, wrongCharacterOf } from "@lambda/contract/typed";
import { codeText } from "../../api/code-text.ts";
import { errorCodeOf, errorStatusOf, findForeignResponse } from "../../api/error-body.ts";
import { currentLocale } from "../../format/i18n.ts";
import { SessionNotKept } from "./continue-after-login.ts";

/** A failed login whose message is shown to the member as it is. */
export class LoginError extends Error {}

/**
 * The message for a failed login. Wrong credentials and invalid links have their own messages; all others start with the HTTP status
 * code and text.
 */
export function loginErrorText(error: unknown, typed = ""): string {
  if (error instanceof LoginError) return error.message;
  if (error instanceof SessionNotKept) return NOT_KEPT[currentLocale()];
  const status = errorStatusOf(error);
  const code = errorCodeOf(error);
  const wrong = wrongCharacterOf(asAddress(typed))?.codePointAt(0);
  if (code === "LOGIN_FAILED" && wrong !== undefined) return `${codeText(error)}. ${addressText(wrong)}`;
  if (status === undefined || (code && CODES_WITHOUT_STATUS.has(code))) return codeText(error);
  const name = statusText(error);
  return `${status}${name && ` ${name}`}: ${codeText(error)}`;
}

const NOT_KEPT = {
  en: "This browser didn't keep your session. Allow cookies here, or use another one.",
  es: "Este navegador no guardó tu sesión. Permite aquí las cookies o usa otro.",
};

/** What no account's address can contain. */
function addressText(wrong: number): string {
  const locale = currentLocale();
  const problem = inputProblemText("WRONG_CHARACTER", wrong, locale);
  return { en: `The address ${problem}.`, es: `La dirección ${problem}.` }[locale];
}

const CODES_WITHOUT_STATUS: ReadonlySet<ErrorCode> = new Set([
  "LOGIN_FAILED",
  "LOCKDOWN_ENDED",
  "LINK_EXPIRED",
  "LINK_OF_OTHER_SITE",
]);

/** HTTP/2 responses have no status text. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** Converts a tRPC error code to HTTP's spelling: "TOO_MANY_REQUESTS" to "Too Many Requests". */
function statusText(error: unknown): string {
  const { data } = error as { data?: { code?: string } };
  if (!data?.code) {
    const { status = 0, statusText = "" } = findForeignResponse(error) ?? {};
    return statusText || (STATUS_TEXTS[status] ?? "");
  }
  return data.code
    .split("_")
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(" ");
}
