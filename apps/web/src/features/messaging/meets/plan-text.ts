/** A plan's text. It is readable on two devices only: where it is written, and the friend's after an alarm. */
export interface PlanText {
  /** The member's name, as the friend knows them. */
  readonly me: string;
  readonly who: string;
  readonly where: string;
  /** ISO 3166 code, or empty. */
  readonly country: string;
  readonly note: string;
  /** Where the member was when they made the plan. */
  readonly point?: { readonly lat: number; readonly lon: number } | undefined;
}

export interface PositionText {
  readonly lat: number;
  readonly lon: number;
}

export type FriendLocale = "en" | "es";

/** The URL for the friend. Browsers never send the part after the # to a server. */
export function planUrl(origin: string, link: { id: string; secret: string }, locale: FriendLocale): string {
  return `${origin}/meet/${link.id}#${link.secret}.${locale}`;
}

const FRAGMENT = /^#([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])(?:\.(en|es))?/;

/** Undefined if the fragment is incomplete, for instance cut short by a messenger. Others add the sentence's end to it. */
export function parseFragment(fragment: string): { secret: string; locale: FriendLocale | undefined } | undefined {
  const [, secret, locale] = FRAGMENT.exec(fragment) ?? [];
  return secret === undefined ? undefined : { secret, locale: locale as FriendLocale | undefined };
}
