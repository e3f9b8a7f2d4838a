/** Translates zod's issues to the plain problems of the contract, because its own messages are written for programmers. */
import type { ErrorBody } from "@lambda/contract/errors";
import { findInputProblem, type InputProblem, inputProblemText } from "@lambda/contract/input-problems";
import { type ZodError, z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

/** Schemas without a message of their own get the code of a problem instead, with its limit, as in "TOO_LONG 60". */
z.config({ localeError: (issue) => codeOf(issue) });

function codeOf(issue: RawIssue): string {
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
export function describeInputError(error: ZodError, name?: string): Partial<ErrorBody["error"]> {
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
