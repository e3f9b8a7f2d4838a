import { errorCodeOf, errorStatusOf, errorText } from "../../api/error-text.ts";

/**
 * A refused login in words (SPEC section 8): a wrong pair has its own text, every other answer shows its status code and status
 * text. A used link says so.
 */
export function loginErrorText(error: unknown, loginFailed: string): string {
  const status = errorStatusOf(error);
  const code = errorCodeOf(error);
  if (code === "LOGIN_FAILED") return loginFailed;
  if (code === "LINK_EXPIRED" || status === undefined) return errorText(error);
  return `${status} ${statusText(error)}: ${errorText(error)}`;
}

/** "TOO_MANY_REQUESTS" as HTTP writes it: "Too Many Requests". */
function statusText(error: unknown): string {
  const code = (error as { data?: { code?: string } }).data?.code ?? "";
  return code
    .split("_")
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(" ");
}
