import type { ErrorBody, ErrorCode } from "@lambda/contract/errors";

/** What the server said about a failed call; undefined when it was never reached or answered no error body. */
export function errorBodyOf(error: unknown): ErrorBody["error"] | undefined {
  const data = (error as { data?: { error?: ErrorBody["error"] } } | null)?.data;
  return data?.error;
}

export function errorCodeOf(error: unknown): ErrorCode | undefined {
  return errorBodyOf(error)?.code;
}

/** HTTP status of a failed tRPC or REST call. */
export function errorStatusOf(error: unknown): number | undefined {
  const { data } = (error ?? {}) as { data?: { httpStatus?: number } };
  return data?.httpStatus ?? foreignAnswerOf(error)?.status;
}

/** An answer that is not ours, as of a proxy whose page says that it cannot reach us. */
export class ForeignAnswer extends Error {
  readonly status: number;
  readonly statusText: string;

  constructor({ status, statusText }: Pick<Response, "status" | "statusText">) {
    super(`HTTP ${status}`);
    this.name = "ForeignAnswer";
    this.status = status;
    this.statusText = statusText;
  }
}

/** tRPC wraps what its fetch throws. */
export function foreignAnswerOf(error: unknown): ForeignAnswer | undefined {
  const cause = (error as Error | null)?.cause;
  return cause instanceof ForeignAnswer ? cause : undefined;
}
