import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { AppError } from "../../platform/errors.ts";
import type { Viewer } from "../../platform/viewer.ts";

/** Throws OTHER_ACCOUNT for a page of one member that holds the session of another: nothing may be done as the other member. */
export function requireSameAccount(request: Request, viewer: Viewer | null): void {
  const believed = request.headers.get(ACCOUNT_HEADER);
  if (viewer && believed !== null && believed !== String(viewer.profileId)) throw new AppError("OTHER_ACCOUNT");
}
