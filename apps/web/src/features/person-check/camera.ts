/** The camera of "Is it him?": live only, there is no way to choose a file. It is on while its stream is shown. */
import { drawJpeg } from "../../components/PictureUpload/draw-jpeg.ts";
import { PROMPT_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

const SIDE_MAX_PX = 1280;

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Asks for the camera, for which the browser may show a prompt. Rejects if it is refused or absent. */
export async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new Error("no camera");
  const video = { facingMode: "user", width: { ideal: SIDE_MAX_PX }, height: { ideal: SIDE_MAX_PX } };
  return withDeadline(PROMPT_WAIT_MS, () => navigator.mediaDevices.getUserMedia({ video }), { onLate: closeCamera });
}

/** What the camera shows now, as it sees it: not mirrored, or nobody could read the number. */
export function takeStill(video: HTMLVideoElement): Promise<Blob> {
  const { videoWidth: width, videoHeight: height } = video;
  return drawJpeg({ width, height }, (context) => context.drawImage(video, 0, 0, width, height));
}
