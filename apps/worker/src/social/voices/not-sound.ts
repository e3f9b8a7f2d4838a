/** A part that no recording of sound has, or has twice; refused rather than guessed at. */
export class NotSound extends Error {}
