import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { AppError } from "../../platform/errors.ts";
import type { Viewer } from "../../platform/viewer.ts";

/**
 * Throws OTHER_ACCOUNT if a page opened by one member now holds the session of another, so that it cannot act for the
 * wrong member.
 */
export function requireSameAccount(request: Request, viewer: Viewer | null): void {
  const claimed = request.headers.get(ACCOUNT_HEADER);
  if (viewer && claimed !== null && claimed !== String(viewer.profileId)) throw new AppError("OTHER_ACCOUNT");
}
