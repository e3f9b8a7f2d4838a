/** Groups the upload code, so that it can be loaded as one chunk. */
export { checkFile, refusalText, uploadErrorText } from "./check-file.ts";
export { sendPicture } from "./send-picture.ts";
