import { ERRORS, type ErrorBody, type ErrorCode } from "@lambda/contract/errors";
import { findInputProblem, type InputProblem, inputProblemText } from "@lambda/contract/input-problems";
import { QUOTAS, type QuotaName } from "@lambda/contract/quotas";
import { TRPCError } from "@trpc/server";
import { ZodError, z } from "zod";

/** The only error that features throw. Anything else is a bug and becomes INTERNAL. */
export class AppError extends TRPCError {
  readonly appCode: ErrorCode;
  readonly field: string | undefined;
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly quota: QuotaName | undefined;
  readonly limit: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const { trpc, text } = ERRORS[code];
    // tRPC has no code for 421, which only the Hono entry returns.
    super({ code: trpc === "MISDIRECTED" ? "BAD_REQUEST" : trpc, message: options.message ?? text });
    this.name = "AppError";
    this.appCode = code;
    this.field = options.field;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quota = options.quota;
    this.limit = options.limit;
  }
}

interface AppErrorOptions {
  readonly message?: string;
  readonly field?: string;
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  readonly quota?: QuotaName;
  readonly limit?: number;
}

/** For `executeTakeFirstOrThrow`: there is no such row, or it is not for the viewer. */
export const notFound = () => new AppError("NOT_FOUND");

/** TOO_MANY_REQUESTS with the name of the exceeded quota and the seconds to wait. */
export function quotaExceeded(quota: QuotaName, waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError("TOO_MANY_REQUESTS", { message: QUOTAS[quota].text, retryAfterSeconds, quota });
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfterSeconds?: number | undefined;
}

/** Of text that is no JSON, or that is in UTF-16 as some editors store it. */
export const UNREADABLE_JSON = "The input could not be read: it must be JSON in UTF-8.";

/** The response for any thrown value; the only place that maps errors to responses, for REST and tRPC alike. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof AppError) {
    const { appCode, message, field, reason, limit, retryAfterSeconds, quota } = error;
    const body = { error: { code: appCode, message, field, reason, limit, quota, retryAfterSeconds } };
    return { status: ERRORS[appCode].status, body, retryAfterSeconds };
  }
  if (error instanceof TRPCError) {
    if (error.cause instanceof AppError) return toErrorResponse(error.cause);
    // A malformed escape in the path of a call.
    if (error.cause instanceof URIError) return responseFor("BAD_INPUT");
    if (error.code === "BAD_REQUEST" && error.cause instanceof ZodError) {
      return toErrorResponse(badInput(error.cause));
    }
    // One of a procedure is a fault of ours, and has another code.
    if (error.code === "BAD_REQUEST" && error.cause instanceof SyntaxError)
      return responseFor("BAD_INPUT", UNREADABLE_JSON);
    const codes = { BAD_REQUEST: "BAD_INPUT", PARSE_ERROR: "BAD_INPUT", NOT_FOUND: "NOT_FOUND" } as const;
    if (error.code === "METHOD_NOT_SUPPORTED") {
      return { status: 405, body: { error: { code: "BAD_INPUT", message: "This method is not supported here." } } };
    }
    if (error.code === "UNSUPPORTED_MEDIA_TYPE") return responseFor("WRONG_TYPE", "Send the body as application/json.");
    if (error.code === "PAYLOAD_TOO_LARGE") return responseFor("TOO_LARGE");
    const code = codes[error.code as keyof typeof codes];
    if (code) return responseFor(code);
  }
  return responseFor("INTERNAL");
}

function responseFor(code: ErrorCode, message = ERRORS[code].text): ErrorResponse {
  return { status: ERRORS[code].status, body: { error: { code, message } } };
}

/** The parsed value of a form, a query or a single parameter. Throws BAD_INPUT with the first invalid field, which is `name` if given. */
export function parseInput<Output>(schema: z.ZodType<Output>, value: unknown, name?: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // Such fields are texts: a place within one is no field.
  throw badInput(result.error, name ?? result.error.issues[0]?.path[0]?.toString());
}

/** BAD_INPUT for a field that its schema alone cannot check. */
export function inputProblem(field: string, reason: InputProblem, limit?: number): AppError {
  return new AppError("BAD_INPUT", {
    field,
    reason,
    limit,
    message: `${field}: ${inputProblemText(reason, limit, "en")}`,
  });
}

function badInput(error: ZodError, name?: string): AppError {
  return new AppError("BAD_INPUT", describeInputError(error, name));
}

/** Translates zod's issues to the plain problems of the contract, because its own messages are written for programmers. */
/** Schemas without a message of their own get the code of a problem instead, with its limit, as in "TOO_LONG 60". */
z.config({ localeError: (issue) => codeOf(issue) });

function codeOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined || issue.input === null || issue.input === "") return "MISSING" satisfies InputProblem;
  if (issue.code === "too_small" || issue.code === "too_big") return codeOfSize(issue);
  if (issue.code === "invalid_value") return "NO_CHOICE" satisfies InputProblem;
  if (issue.code === "invalid_format") return FORMATS[issue.format] ?? "WRONG_FORM";
  if (issue.code !== "invalid_type") return "WRONG_FORM" satisfies InputProblem;
  if (issue.expected === "int") return "NOT_WHOLE" satisfies InputProblem;
  return issue.expected === "number" ? "NO_NUMBER" : "WRONG_FORM";
}

const FORMATS: Readonly<Record<string, InputProblem>> = { date: "NO_DATE", datetime: "NO_DATE", email: "NO_EMAIL" };

function codeOfSize(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>): string {
  const isSmall = issue.code === "too_small";
  // Only numbers above zero have a limit that is too small itself.
  const limit = isSmall ? Number(issue.minimum) + (issue.inclusive === false ? 1 : 0) : issue.maximum;
  const codes: readonly [InputProblem, InputProblem] =
    issue.origin === "string"
      ? ["TOO_SHORT", "TOO_LONG"]
      : issue.origin === "array" || issue.origin === "set"
        ? ["TOO_FEW", "TOO_MANY"]
        : ["TOO_SMALL", "TOO_BIG"];
  return `${codes[isSmall ? 0 : 1]} ${limit}`;
}

/** The body of BAD_INPUT for the first invalid field, which is `name` if given. */
function describeInputError(error: ZodError, name?: string): Partial<ErrorBody["error"]> {
  const issue = error.issues[0];
  const field = name ?? (issue?.path.map(String).join(".") || undefined);
  const [code, limit] = issue?.message.split(" ") ?? [];
  const problem = findInputProblem(code);
  const text = problem
    ? inputProblemText(problem, limit === undefined ? undefined : Number(limit), "en")
    : (issue?.message ?? "");
  // One of our own messages that is a full sentence needs no field name in front.
  const isSentence = issue?.code === "custom" && !problem && /^[A-Z]/.test(text);
  return {
    message: `${field && !isSentence ? `${field}: ` : ""}${text}`,
    ...(field && { field }),
    ...(problem && { reason: problem }),
    ...(problem && limit !== undefined && { limit: Number(limit) }),
  };
}
