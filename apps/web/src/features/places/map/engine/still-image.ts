import css from "./still-image.module.css";

/** A picture of the map in the middle of what it covers, whose center is the map's. */
export function createStillImage(url: string, width: number, height: number): HTMLImageElement {
  const image = new Image(width, height);
  image.className = css.image ?? "";
  image.alt = "";
  image.draggable = false;
  // Otherwise a frame would show the empty map.
  image.decoding = "sync";
  image.src = url;
  return image;
}
