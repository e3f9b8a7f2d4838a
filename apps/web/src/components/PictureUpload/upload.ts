/** What an upload needs, as one chunk. */
export { judgeFile, refusalText, uploadErrorText } from "./judge-file.ts";
export { sendPicture } from "./send-picture.ts";
