import type { ErrorBody } from "@lambda/contract/errors";
import { handleSessionStatus } from "./api-fetch.ts";

/** A failed REST call, in the shape of a failed tRPC call so that errorText() handles both. */
export class ApiError extends Error {
  readonly data: { readonly httpStatus: number; readonly error: ErrorBody["error"] | undefined };

  constructor(status: number, error: ErrorBody["error"] | undefined) {
    super(error?.message ?? `HTTP ${status}`);
    this.name = "ApiError";
    this.data = { httpStatus: status, error };
  }
}

/** Converts an error response to an ApiError to throw, after handling its status. */
export async function toApiError(response: Response): Promise<ApiError> {
  handleSessionStatus(response.status);
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  return new ApiError(response.status, body?.error);
}
