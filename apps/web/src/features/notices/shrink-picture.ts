import { NOTICE_UPLOAD_PX } from "@lambda/contract/limits";
import { MEDIA_WAIT_MS, withDeadline } from "../../device/with-deadline.ts";

const QUALITY = 0.85;

/**
 * Returns a small JPEG as base64, which is enough for the perceptual hash. The original file never leaves the device.
 */
export async function shrinkPicture(file: File): Promise<string> {
  const bitmap = await withDeadline(MEDIA_WAIT_MS, () => createImageBitmap(file), { onLate: (late) => late.close() });
  const scale = Math.min(1, NOTICE_UPLOAD_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  // Transparent pixels would become black in a JPEG and change the hash.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL("image/jpeg", QUALITY).replace(/^data:[^,]*,/, "");
}
