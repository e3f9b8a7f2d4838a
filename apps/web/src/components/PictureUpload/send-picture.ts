import type { ErrorBody } from "@lambda/contract/errors";
import type { OwnPicture, PictureAudience } from "@lambda/contract/pictures";
import { ApiError } from "../../api/api-fetch.ts";
import { showServerTrouble } from "../../api/header-error.ts";
import { onSessionEnded } from "../../session/ended-session.ts";
import { accountHeader, OTHER_ACCOUNT_STATUS, onOtherAccount } from "../../session/other-account.ts";

export interface PictureToSend {
  readonly file: Blob;
  readonly name: string;
  readonly profileId: number;
  readonly audience?: PictureAudience;
  readonly nsfw?: boolean;
  /** Its sender says that it shows no nudity. */
  readonly harmless?: boolean;
  /** Puts it in this picture's place. */
  readonly replaceId?: number;
}

/**
 * POST /api/profile-pic by XMLHttpRequest, since fetch tells no progress of an upload. Rejects with an ApiError, or with a
 * plain Error when the connection was lost.
 *
 * @param onProgress share of the file that has left this device, 0 to 1
 */
export function sendPicture(picture: PictureToSend, onProgress?: (share: number) => void): Promise<OwnPicture> {
  const form = new FormData();
  form.set("authorProfileId", String(picture.profileId));
  form.set("picfilename", picture.name);
  if (picture.audience) form.set("audience", picture.audience);
  if (picture.nsfw) form.set("nsfw", "true");
  else if (picture.harmless) form.set("harmless", "true");
  form.set("picfile", picture.file, picture.name);
  const query = picture.replaceId === undefined ? "" : `?replace_id=${picture.replaceId}`;

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/profile-pic${query}`);
    request.responseType = "json";
    request.setRequestHeader("x-request-start", String(Date.now()));
    for (const [name, value] of Object.entries(accountHeader())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onerror = () => reject(new Error("the connection was lost"));
    request.onabort = request.onerror;
    request.onload = () => {
      if (request.status === 201) {
        resolve(request.response as OwnPicture);
        return;
      }
      if (request.status === 401) onSessionEnded();
      if (request.status === OTHER_ACCOUNT_STATUS) onOtherAccount();
      if (request.status >= 500) showServerTrouble();
      reject(new ApiError(request.status, (request.response as Partial<ErrorBody> | null)?.error));
    };
    request.send(form);
  });
}
