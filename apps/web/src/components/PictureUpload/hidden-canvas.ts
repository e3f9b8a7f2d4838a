/** Browsers that hide from pages what they draw, as Tor's does, answer white or noise, which would be taken for the picture. */
export class HiddenCanvas extends Error {
  override readonly name = "HiddenCanvas";
}

/** Neither white nor noise. */
const KNOWN_COLOR = [200, 40, 120, 255] as const;
const KNOWN_PX = 16;
/** Some browsers mark what is read by small changes. */
const COLOR_SLACK = 16;

/** Whether the browser hides what this canvas shows. Draws over it. */
export function hidesPixels(context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D): boolean {
  context.fillStyle = `rgb(${KNOWN_COLOR.slice(0, 3)})`;
  context.fillRect(0, 0, KNOWN_PX, 1);
  const { data } = context.getImageData(0, 0, KNOWN_PX, 1);
  return data.some((value, index) => Math.abs(value - (KNOWN_COLOR[index % 4] ?? 0)) > COLOR_SLACK);
}
