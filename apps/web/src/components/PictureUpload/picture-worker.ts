/** Decodes, draws and encodes a picture in a web worker, so that the page stays responsive. */
import type { WorkerReply } from "../../device/ask-worker.ts";
import { CONVERSION_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";
import { type DrawTask, drawPicture } from "./draw-picture.ts";

async function convert(task: DrawTask): Promise<Blob> {
  const decode = () => createImageBitmap(task.file, { imageOrientation: "from-image" });
  const image = await withDeadline(CONVERSION_WAIT_MS, decode);
  // Some browsers do not turn it, but the page does.
  if (image.width !== task.width || image.height !== task.height) throw new Error("not turned");
  return drawPicture(image, task.drawings);
}

const reply = (message: WorkerReply<Blob>) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<DrawTask>) =>
  convert(data).then(
    (answer) => reply({ answer }),
    (error) => reply({ failure: String(error) }),
  ),
);
