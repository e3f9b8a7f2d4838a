import { pictureWidth } from "@lambda/contract/picture-width";

/** The URL of a picture shown `cssWidth` CSS pixels wide on this screen. `version` busts the cache after the picture was replaced. */
export function pictureUrl(id: number, cssWidth: number, nsfw: boolean, version?: number): string {
  return buildPictureUrl(id, pictureWidth(cssWidth * (window.devicePixelRatio || 1)), nsfw, version);
}

/** The same URL by stored width, for the `src` of the ui package's Picture, which lets the browser choose the width. */
export function pictureSource(id: number, nsfw: boolean, version?: number): (width: number) => string {
  return (width) => buildPictureUrl(id, width, nsfw, version);
}

/** The URL of a picture in a game, by its number in the player's pack. */
export function gamePictureSource(game: "ratinggame" | "identify", number: number, nsfw: boolean) {
  return (width: number) => `/api/games/${game}/picture/${nsfw ? "nsfw/" : ""}${number}?scale_x=${width}`;
}

function buildPictureUrl(id: number, width: number, nsfw: boolean, version?: number): string {
  return `/api/profile-pic/${nsfw ? "nsfw/" : ""}${id}?scale_x=${width}${version ? `&v=${version}` : ""}`;
}
