/** The upload of a file as it was chosen. Loaded as one chunk, because most screens with an upload are left without one. */
import type { OwnPicture } from "@lambda/contract/pictures";
import { errorBodyOf } from "../../api/error-body.ts";
import { convertPicture, copyFile, preparePicture } from "./prepare-picture.ts";
import { type PictureToSend, sendPicture } from "./send-picture.ts";

export { preparePicture } from "./prepare-picture.ts";
export { toUploadFailure, uploadErrorText } from "./upload-error.ts";

/** What the server says of files that its decoder reads more strictly than the browser. */
const CONVERTIBLE = ["TYPE", "BYTES", "SIDE", "PIXELS", "TRUNCATED", "ANIMATED", "BROKEN"];

/** One for each chosen file, so that a retry is known as such. A file that is chosen again is another object. */
const clientIds = new WeakMap<Blob, string>();

function clientIdOf(chosen: Blob): string {
  const id = clientIds.get(chosen) ?? crypto.randomUUID();
  clientIds.set(chosen, id);
  return id;
}

/**
 * Sends the file as it is where the server takes it, else what this browser makes of it. Rejects like sendPicture, or with
 * UnreadablePicture.
 */
export async function uploadPicture(
  picture: Omit<PictureToSend, "clientId">,
  onProgress?: (fraction: number) => void,
): Promise<OwnPicture> {
  const { signal } = picture;
  const clientId = clientIdOf(picture.file);
  const chosen = await copyFile(picture.file);
  const file = await preparePicture(chosen, signal);
  try {
    return await sendPicture({ ...picture, file, clientId }, onProgress);
  } catch (error) {
    if (file !== chosen || !CONVERTIBLE.includes(errorBodyOf(error)?.reason ?? "")) throw error;
    return sendPicture({ ...picture, file: await convertPicture(chosen, { signal }), clientId }, onProgress);
  }
}
