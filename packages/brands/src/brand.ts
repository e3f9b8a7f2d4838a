/** The look of one colour scheme; every value is a CSS colour. Contrast is asserted in brands.test.ts. */
export interface BrandPalette {
  /** Page background: near-black or paper with a hint of the brand's hue. */
  readonly surface: string;
  /** Raised areas: sheets, bars, bubbles of the other member. */
  readonly raised: string;
  /** Hairlines between rows and panes; decoration, never the only sign of a control. */
  readonly line: string;
  /** Outline of an input, a switch, a box to tick; at least 3:1 on `surface` and on `raised`. */
  readonly edge: string;
  /** Surface with a breath of the accent: own bubbles, chosen chips, the current row. */
  readonly tint: string;
  readonly text: string;
  /** Secondary text; at least 4.5:1 on `surface` and on `raised`. */
  readonly muted: string;
  /** The one strong accent: primary action, own marker, unread. */
  readonly accent: string;
  /** Text on `accent`. */
  readonly onAccent: string;
  /** Accent as text or icon on `surface`; at least 4.5:1. */
  readonly accentText: string;
}

/** Colours that mean the same on every brand; text on `surface`, `raised` and `tint`, at least 4.5:1. */
export interface SignalPalette {
  readonly danger: string;
  /** Fills the button that destroys something. */
  readonly dangerFill: string;
  /** Text on `dangerFill`. */
  readonly onDanger: string;
  readonly success: string;
  readonly warn: string;
}

/** Who runs the site and who can be written to, as the law wants it published. Empty: the operator has not said yet. */
export interface OperatorContact {
  /** Postal address of the operator, register and number where there is one. */
  readonly post: string;
  /** Single point of contact for authorities: a mail address that somebody reads. */
  readonly authorities: string;
  /** Languages in which both points of contact answer, ISO 639-1. */
  readonly languages: readonly string[];
  /** Legal representative in the EU with address and mail; null: the operator is established there and needs none. */
  readonly representative: string | null;
}

/** One site brand. A brand is data: everything that differs between the sister sites is in this object. */
export interface Brand {
  readonly id: BrandId;
  /** Bit of this brand in `profile.shared_on`; never reused, never changed. */
  readonly bit: number;
  readonly name: string;
  readonly tagline: { readonly en: string; readonly es: string };
  readonly dark: BrandPalette;
  readonly light: BrandPalette;
  /** Font family of names and titles; the face is loaded by the ui package under the same name. */
  readonly display: "fraunces" | "bricolage" | "hepta";
  /** SVG path data of the mark in a 24 x 24 box, filled with the accent. */
  readonly mark: string;
  /** Production hosts without port. The first is the site's address: links in mails name it, the others lead to it, and passkeys are bound to it: another one makes them useless. */
  readonly hosts: readonly [string, ...string[]];
  /** Members who choose no position are scattered around this city. */
  readonly firstCity: { readonly name: string; readonly lat: number; readonly lon: number };
  readonly senderAddress: string;
  /** Where the contact form and problem reports go. */
  readonly operatorAddress: string;
  readonly legalName: string;
  readonly contact: OperatorContact;
}

export const BRAND_IDS = ["ember", "harbor", "bramble"] as const;
export type BrandId = (typeof BRAND_IDS)[number];
