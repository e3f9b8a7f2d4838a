/** Thrown for a part that no audio recording has, or has twice. */
export class InvalidAudioError extends Error {}
