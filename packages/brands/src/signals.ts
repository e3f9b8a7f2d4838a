import type { SignalPalette } from "./brand.ts";

/** Shared by all brands, so that red means danger on each of them. */
export const SIGNALS: { readonly dark: SignalPalette; readonly light: SignalPalette } = {
  dark: { danger: "#ff8b80", dangerFill: "#c9302c", onDanger: "#ffffff", success: "#7fd48f", warn: "#f2c14e" },
  light: { danger: "#b3261e", dangerFill: "#b3261e", onDanger: "#ffffff", success: "#1f6b34", warn: "#7a5200" },
};
