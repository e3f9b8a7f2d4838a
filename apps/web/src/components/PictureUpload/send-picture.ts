import type { ErrorBody } from "@lambda/contract/errors";
import type { OwnPicture, PictureAudience } from "@lambda/contract/pictures";
import { ApiError } from "../../api/api-error.ts";
import { handleSessionStatus } from "../../api/api-fetch.ts";
import { showServerError } from "../../api/header-error.ts";
import { accountHeader } from "../../api/page-account.ts";
import { DeadlinePassed } from "../../device/with-deadline.ts";

export interface PictureToSend {
  readonly file: Blob;
  readonly name: string;
  readonly profileId: number;
  readonly audience?: PictureAudience;
  readonly nsfw?: boolean;
  /** The sender declared that it shows no nudity. */
  readonly harmless?: boolean;
  readonly replaceId?: number;
  /** The same for each try to upload a new picture, so that a lost answer makes no second one. */
  readonly clientId?: string;
  /** Cancels the upload, which then rejects. */
  readonly signal?: AbortSignal;
}

/** An upload that makes no progress for this long is canceled. */
const STALL_MS = 30_000;
/** The server transforms a picture before it answers. */
const ANSWER_MS = 60_000;

/**
 * POST /api/profile-pic by XMLHttpRequest, because fetch reports no upload progress. Rejects with an ApiError, or with a plain Error
 * if the connection was lost.
 *
 * @param onProgress called with the uploaded fraction, 0 to 1
 */
export function sendPicture(picture: PictureToSend, onProgress?: (fraction: number) => void): Promise<OwnPicture> {
  const form = new FormData();
  form.set("authorProfileId", String(picture.profileId));
  form.set("picfilename", picture.name);
  if (picture.audience) form.set("audience", picture.audience);
  if (picture.nsfw) form.set("nsfw", "true");
  else if (picture.harmless) form.set("harmless", "true");
  if (picture.clientId) form.set("clientId", picture.clientId);
  // Some servers in between drop a file without a name.
  form.set("picfile", picture.file, "picture");
  const query = picture.replaceId === undefined ? "" : `?replace_id=${picture.replaceId}`;

  return new Promise((resolve, reject) => {
    if (picture.signal?.aborted) return reject(new Error("the upload was canceled"));
    const request = new XMLHttpRequest();
    request.open("POST", `/api/profile-pic${query}`);
    request.responseType = "json";
    request.setRequestHeader("x-request-start", String(Date.now()));
    for (const [name, value] of Object.entries(accountHeader())) request.setRequestHeader(name, value);
    let timer = setTimeout(() => undefined);
    const expect = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new DeadlinePassed());
        request.abort();
      }, ms);
    };
    expect(STALL_MS);
    request.upload.onload = () => expect(ANSWER_MS);
    request.onloadend = () => clearTimeout(timer);
    request.upload.onprogress = (event) => {
      expect(STALL_MS);
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onerror = () => reject(new Error("the connection was lost"));
    request.onabort = request.onerror;
    request.onload = () => {
      const answer = request.response as (OwnPicture & Partial<ErrorBody>) | null;
      if (request.status === 201 && answer) return resolve(answer);
      // Something else answered, such as the login page of a network, or the answer broke off.
      if (request.status < 400) return reject(new Error("the connection was lost"));
      handleSessionStatus(request.status);
      if (request.status >= 500) showServerError();
      reject(new ApiError(request.status, answer?.error));
    };
    picture.signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
