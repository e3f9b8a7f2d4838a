import { NOTICE_UPLOAD_PX } from "@lambda/contract/limits";

const QUALITY = 0.85;

/** A picture as base64 of a small JPEG, which is all that its hash needs; nothing of the file itself leaves the device. */
export async function shrinkPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, NOTICE_UPLOAD_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  // What is transparent would be black in a JPEG, and another picture to the hash.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL("image/jpeg", QUALITY).replace(/^data:[^,]*,/, "");
}
