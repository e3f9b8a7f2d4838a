/** What a plan says, in the clear on two devices alone: where it is written, and on the friend's after an alarm. */
export interface PlanText {
  /** The maker, as the friend knows them. */
  readonly me: string;
  readonly who: string;
  readonly where: string;
  /** ISO 3166, or empty. */
  readonly country: string;
  readonly note: string;
  /** Where the maker was when making it. */
  readonly point?: { readonly lat: number; readonly lon: number } | undefined;
}

export interface PositionText {
  readonly lat: number;
  readonly lon: number;
}

export type FriendLocale = "en" | "es";

/** The address that a friend gets. What stands behind the # never leaves a browser. */
export function linkAddress(origin: string, link: { id: string; secret: string }, locale: FriendLocale): string {
  return `${origin}/meet/${link.id}#${link.secret}.${locale}`;
}

const FRAGMENT = /^#([A-Za-z0-9_-]{43})(?:\.(en|es))?$/;

/** Undefined for a fragment that a messenger cut short. */
export function readFragment(fragment: string): { secret: string; locale: FriendLocale | undefined } | undefined {
  const [, secret, locale] = FRAGMENT.exec(fragment) ?? [];
  return secret === undefined ? undefined : { secret, locale: locale as FriendLocale | undefined };
}
