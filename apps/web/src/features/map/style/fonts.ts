/**
 * maplibre draws text with the page's own fonts when the style names no glyph files. It takes the weight from the first
 * name of a stack, which need not exist as a family.
 */
export const TEXT_FONT = ["Figtree Variable", "system-ui"];
export const BOLD_FONT = ["Figtree Semibold", "Figtree Variable", "system-ui"];
