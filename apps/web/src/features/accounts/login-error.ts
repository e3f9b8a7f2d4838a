import type { ErrorCode } from "@lambda/contract/errors";
import { codeText } from "../../api/code-text.ts";
import { errorCodeOf, errorStatusOf, foreignAnswerOf } from "../../api/error-body.ts";

/** A login that failed in the browser, with words for the member. */
export class LoginProblem extends Error {}

/**
 * A refused login in words: a wrong pair, a used link and one of another site say so, every other answer shows its status code and
 * status text.
 */
export function loginErrorText(error: unknown): string {
  if (error instanceof LoginProblem) return error.message;
  const status = errorStatusOf(error);
  const code = errorCodeOf(error);
  if (status === undefined || (code && OWN_WORDS.has(code))) return codeText(error);
  const name = statusText(error);
  return `${status}${name && ` ${name}`}: ${codeText(error)}`;
}

const OWN_WORDS: ReadonlySet<ErrorCode> = new Set(["LOGIN_FAILED", "LINK_EXPIRED", "LINK_OF_OTHER_SITE"]);

/** HTTP/2 carries no status text. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** "TOO_MANY_REQUESTS" as HTTP writes it: "Too Many Requests". */
function statusText(error: unknown): string {
  const { data } = error as { data?: { code?: string } };
  if (!data?.code) {
    const { status = 0, statusText = "" } = foreignAnswerOf(error) ?? {};
    return statusText || (STATUS_TEXTS[status] ?? "");
  }
  return data.code
    .split("_")
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(" ");
}
