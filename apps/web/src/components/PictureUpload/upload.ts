/** The upload of a file as it was chosen. Loaded as one chunk, because most screens with an upload are left without one. */
import type { OwnPicture } from "@lambda/contract/pictures";
import { errorBodyOf } from "../../api/error-body.ts";
import { convertPicture, preparePicture } from "./prepare-picture.ts";
import { type PictureToSend, sendPicture } from "./send-picture.ts";

export { preparePicture } from "./prepare-picture.ts";
export { toUploadFailure, uploadErrorText } from "./upload-error.ts";

/** What the server says of files that its decoder reads more strictly than the browser. */
const CONVERTIBLE = ["TYPE", "BYTES", "SIDE", "PIXELS", "TRUNCATED", "ANIMATED", "BROKEN"];

/**
 * Sends the file as it is where the server takes it, else what this browser makes of it. Rejects like sendPicture, or with
 * UnreadablePicture.
 */
export async function uploadPicture(
  picture: PictureToSend,
  onProgress?: (fraction: number) => void,
): Promise<OwnPicture> {
  const { file: chosen, signal } = picture;
  const file = await preparePicture(chosen, signal);
  try {
    return await sendPicture({ ...picture, file }, onProgress);
  } catch (error) {
    if (file !== chosen || !CONVERTIBLE.includes(errorBodyOf(error)?.reason ?? "")) throw error;
    return sendPicture({ ...picture, file: await convertPicture(chosen, { signal }) }, onProgress);
  }
}
