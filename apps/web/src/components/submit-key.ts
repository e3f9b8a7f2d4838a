import type { KeyboardEvent } from "react";

/**
 * Whether this key submits. An Enter that confirms a word of an input method does not: Safari sends it after the composition has
 * ended, and only its key code tells.
 */
export function isSubmitKey({ key, nativeEvent }: Pick<KeyboardEvent, "key" | "nativeEvent">): boolean {
  return key === "Enter" && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;
}
