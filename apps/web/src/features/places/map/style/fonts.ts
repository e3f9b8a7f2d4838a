/**
 * MapLibre draws text with the page's fonts if the style has no glyph URL. It derives the weight from the first name of
 * a stack, which need not be an existing family.
 */
export const TEXT_FONT = ["Figtree Variable", "system-ui"];
export const BOLD_FONT = ["Figtree Semibold", "Figtree Variable", "system-ui"];
