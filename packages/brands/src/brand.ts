/** One color scheme of a brand. Values are CSS colors; brands.test.ts checks their contrast. */
export interface BrandPalette {
  /** Page background: near-black or paper white with a hint of the brand's hue. */
  readonly surface: string;
  /** Raised areas: sheets, bars, the other member's message bubbles. */
  readonly raised: string;
  /** Hairlines between rows and panes. Decorative only, never the sole indication of a control. */
  readonly line: string;
  /** Outline of inputs, switches and checkboxes; at least 3:1 on `surface` and on `raised`. */
  readonly edge: string;
  /** Surface with a slight tint of the accent: own message bubbles, selected chips, the current row. */
  readonly tint: string;
  readonly text: string;
  /** Secondary text; at least 4.5:1 on `surface` and on `raised`. */
  readonly muted: string;
  /** The only strong accent: primary action, own map marker, unread badges. */
  readonly accent: string;
  /** Text on `accent`. */
  readonly onAccent: string;
  /** Accent as text or icon on `surface`; at least 4.5:1. */
  readonly accentText: string;
}

/** Colors with the same meaning on every brand. As text on `surface`, `raised` and `tint` they have at least 4.5:1. */
export interface SignalPalette {
  readonly danger: string;
  /** Background of destructive buttons. */
  readonly dangerFill: string;
  /** Text on `dangerFill`. */
  readonly onDanger: string;
  readonly success: string;
  readonly warn: string;
}

/** Legally required contact details of the operator. Empty strings are not filled in yet. */
export interface OperatorContact {
  /** Postal address of the operator, with register and registration number if any. */
  readonly post: string;
  /** Email address of the single point of contact for authorities. */
  readonly authorities: string;
  /** Languages that both points of contact accept, ISO 639-1. */
  readonly languages: readonly string[];
  /** Legal representative in the EU, with postal and email address; null if the operator is established in the EU. */
  readonly representative: string | null;
}

/** One site brand: everything that differs between the sister sites. */
export interface Brand {
  readonly id: BrandId;
  /** Bit of this brand in `profile.shared_on`; must never be reused or changed. */
  readonly bit: number;
  readonly name: string;
  readonly tagline: { readonly en: string; readonly es: string };
  readonly dark: BrandPalette;
  readonly light: BrandPalette;
  /** Font family of names and titles; the ui package loads the face under the same name. */
  readonly display: "fraunces" | "bricolage" | "hepta";
  /** SVG path data of the logo mark in a 24 x 24 box, filled with the accent. */
  readonly mark: string;
  /**
   * Production hosts without port. The first is canonical: mails link to it and the others redirect to it. Passkeys are bound to it, so
   * changing it invalidates them.
   */
  readonly hosts: readonly [string, ...string[]];
  /** Members without a chosen position are scattered around this city. */
  readonly firstCity: { readonly name: string; readonly lat: number; readonly lon: number };
  readonly senderAddress: string;
  /** Where the contact form and problem reports go. */
  readonly operatorAddress: string;
  readonly legalName: string;
  readonly contact: OperatorContact;
}

export const BRAND_IDS = ["ember", "harbor", "bramble"] as const;
export type BrandId = (typeof BRAND_IDS)[number];
