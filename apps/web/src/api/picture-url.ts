import { pictureWidth } from "@lambda/contract/limits";

/**
 * Address of a picture that is drawn `cssWidth` CSS pixels wide on this screen. A version, where it is known, makes this page
 * show the bytes of a replacement instead of those that it holds.
 */
export function pictureUrl(id: number, cssWidth: number, nsfw: boolean, version?: number): string {
  return addressOf(id, pictureWidth(cssWidth * (window.devicePixelRatio || 1)), nsfw, version);
}

/** The same as a function of the stored width, for the `src` of the ui package's Picture, which then lets the browser choose. */
export function pictureSource(id: number, nsfw: boolean, version?: number): (width: number) => string {
  return (width) => addressOf(id, width, nsfw, version);
}

/** A picture that a game shows, by the number under which it was handed to the player. */
export function gamePictureSource(game: "ratinggame" | "identify", number: number, nsfw: boolean) {
  return (width: number) => `/api/games/${game}/picture/${nsfw ? "nsfw/" : ""}${number}?scale_x=${width}`;
}

function addressOf(id: number, width: number, nsfw: boolean, version?: number): string {
  return `/api/profile-pic/${nsfw ? "nsfw/" : ""}${id}?scale_x=${width}${version ? `&v=${version}` : ""}`;
}
