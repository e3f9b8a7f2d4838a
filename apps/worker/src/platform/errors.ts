import { ERRORS, type ErrorBody, type ErrorCode } from "@lambda/contract/errors";
import { QUOTAS, type QuotaName } from "@lambda/contract/quotas";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";

/** tRPC has no code for 421; it is only ever answered by the Hono entry. */
function trpcCode(code: ErrorCode): TRPCError["code"] {
  const wire = ERRORS[code].trpc;
  return wire === "MISDIRECTED" ? "BAD_REQUEST" : wire;
}

/** The one kind of error that features throw. Everything else is a fault of ours and answers INTERNAL. */
export class AppError extends TRPCError {
  readonly appCode: ErrorCode;
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly quota: QuotaName | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super({ code: trpcCode(code), message: options.message ?? ERRORS[code].text });
    this.name = "AppError";
    this.appCode = code;
    this.field = options.field;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quota = options.quota;
  }
}

interface AppErrorOptions {
  readonly message?: string;
  readonly field?: string;
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  readonly quota?: QuotaName;
}

/** The answer beyond a member's quota: which it is, and when to come again. */
export function quotaUsedUp(quota: QuotaName, waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError("TOO_MANY_REQUESTS", { message: QUOTAS[quota].text, retryAfterSeconds, quota });
}

export interface Answer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfterSeconds?: number | undefined;
}

/** Any thrown value as the answer it gives; the only place where errors become answers, for REST and tRPC alike. */
export function toErrorResponse(error: unknown): Answer {
  if (error instanceof AppError) {
    const { appCode, message, field, reason, retryAfterSeconds, quota } = error;
    const body = { error: { code: appCode, message, field, reason, quota, retryAfterSeconds } };
    return { status: ERRORS[appCode].status, body, retryAfterSeconds };
  }
  if (error instanceof TRPCError) {
    if (error.cause instanceof AppError) return toErrorResponse(error.cause);
    if (error.code === "BAD_REQUEST" && error.cause instanceof ZodError) return badInput(error.cause);
    const known = { BAD_REQUEST: "BAD_INPUT", PARSE_ERROR: "BAD_INPUT", NOT_FOUND: "NOT_FOUND" } as const;
    if (error.code === "METHOD_NOT_SUPPORTED") {
      return { status: 405, body: { error: { code: "BAD_INPUT", message: "This method is not supported here." } } };
    }
    if (error.code === "UNSUPPORTED_MEDIA_TYPE") return plain("WRONG_TYPE");
    if (error.code === "PAYLOAD_TOO_LARGE") return plain("TOO_LARGE");
    const code = known[error.code as keyof typeof known];
    if (code) return plain(code);
  }
  return plain("INTERNAL");
}

function plain(code: ErrorCode): Answer {
  return { status: ERRORS[code].status, body: { error: { code, message: ERRORS[code].text } } };
}

function badInput(error: ZodError): Answer {
  const issue = error.issues[0];
  const field = issue?.path.map(String).join(".") || undefined;
  // A message of ours that is a sentence says all by itself.
  const sentence = issue?.code === "custom" && /^[A-Z]/.test(issue.message);
  const message = `${field && !sentence ? `${field}: ` : ""}${issue?.message ?? ERRORS.BAD_INPUT.text}`;
  return { status: 400, body: { error: { code: "BAD_INPUT", message, field } } };
}
