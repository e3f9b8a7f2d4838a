import type { ErrorBody, ErrorCode } from "@lambda/contract/errors";
import { DeadlinePassed } from "../device/with-deadline.ts";

/** The error in the response to a failed call; undefined if there was no response or it has no error body. */
export function errorBodyOf(error: unknown): ErrorBody["error"] | undefined {
  const data = (error as { data?: { error?: ErrorBody["error"] } } | null)?.data;
  return data?.error;
}

export const errorCodeOf = (error: unknown): ErrorCode | undefined => errorBodyOf(error)?.code;

export function errorStatusOf(error: unknown): number | undefined {
  const { data } = (error ?? {}) as { data?: { httpStatus?: number } };
  return data?.httpStatus ?? findForeignResponse(error)?.status;
}

/** Whether no answer came in time; tRPC wraps the error. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof DeadlinePassed || (error as Error | null)?.cause instanceof DeadlinePassed;

/** An error response that our worker did not write, for example a proxy's page saying that it cannot reach us. */
export class ForeignResponse extends Error {
  readonly status: number;
  readonly statusText: string;

  constructor({ status, statusText }: Pick<Response, "status" | "statusText">) {
    super(`HTTP ${status}`);
    this.name = "ForeignResponse";
    this.status = status;
    this.statusText = statusText;
  }
}

/** Unwraps the response from the error in which tRPC wraps whatever its fetch throws. */
export function findForeignResponse(error: unknown): ForeignResponse | undefined {
  const cause = (error as Error | null)?.cause;
  return cause instanceof ForeignResponse ? cause : undefined;
}
