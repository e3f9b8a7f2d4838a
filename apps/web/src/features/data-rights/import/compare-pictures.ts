/**
 * Which pictures of an export are here already. Bytes do not tell, because each site encodes a picture anew, so both are scaled down and
 * compared.
 */
import type { OwnPicture } from "@lambda/contract/pictures";
import { pictureSource } from "../../../api/picture-url.ts";
import { hidesPixels } from "../../../components/PictureUpload/hidden-canvas.ts";
import { MEDIA_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import type { ExportedPicture } from "./read-export.ts";

const GRID_PX = 24;
const COMPARED_WIDTH_PX = 256;
/**
 * Encoding again changes a cell of the grid by less than 6 levels of 256, and the mean by less than 1; the next picture of a series changes
 * far more.
 */
const MEAN_MAX = 3;
const CELL_MAX = 24;

/** The pictures of the export that are not here yet. A picture that this device cannot read is left to the upload, which says why. */
export async function findNewPictures(
  exported: readonly ExportedPicture[],
  here: readonly OwnPicture[],
  signal: AbortSignal,
): Promise<ExportedPicture[]> {
  const known: Uint8ClampedArray[] = [];
  for (const { id, nsfw, version } of here) {
    const grid = await gridOf(pictureSource(id, nsfw, version)(COMPARED_WIDTH_PX), signal);
    if (grid) known.push(grid);
  }
  const fresh: ExportedPicture[] = [];
  for (const picture of exported) {
    const url = URL.createObjectURL(await picture.read());
    const grid = await gridOf(url, signal).finally(() => URL.revokeObjectURL(url));
    if (grid && known.some((other) => isCopy(grid, other))) continue;
    if (grid) known.push(grid);
    fresh.push(picture);
  }
  return fresh;
}

function isCopy(one: Uint8ClampedArray, other: Uint8ClampedArray): boolean {
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    const difference = Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    if (difference > CELL_MAX) return false;
    sum += difference;
  }
  return sum <= MEAN_MAX * one.length;
}

/** The picture as a grid of colors; undefined if this device cannot read it. */
async function gridOf(url: string, signal: AbortSignal): Promise<Uint8ClampedArray | undefined> {
  const image = new Image();
  image.src = url;
  try {
    await withDeadline(MEDIA_WAIT_MS, () => image.decode(), { signal });
    const canvas = document.createElement("canvas");
    canvas.width = GRID_PX;
    canvas.height = GRID_PX;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) return undefined;
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, GRID_PX, GRID_PX);
    const { data } = context.getImageData(0, 0, GRID_PX, GRID_PX);
    return hidesPixels(context) ? undefined : data;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
