/** Which declines of unsolicited pictures count, so that accounts made for it take nothing from anybody. */
import {
  BROADCAST_DECLINER_AGE_MS,
  DAY_MS,
  DECLINER_ACCOUNT_AGE_MS,
  PICTURE_DECLINE_WINDOW_MS,
  PICTURE_DECLINES_MAX,
} from "@lambda/contract/limits";

export interface Decline {
  /** When the latest picture was sent that this member declined. */
  readonly tsSent: number;
  readonly tsJoined: number;
  /** Where the decliner registered; null if that is no longer known. */
  readonly network: number | null;
}

const WEEK_MS = 7 * DAY_MS;

/** Until when the sender has to ask first; undefined if too few declines count. */
export function declinedUntil(declines: readonly Decline[], isBroadcast: boolean, now: number): number | undefined {
  const newestFirst = declines.toSorted((one, other) => other.tsSent - one.tsSent);
  const counted: Decline[] = [];
  for (const decline of newestFirst) {
    if (counted.length === PICTURE_DECLINES_MAX) break;
    if (isBroadcast ? countsInMapChat(decline, counted) : now - decline.tsJoined >= DECLINER_ACCOUNT_AGE_MS)
      counted.push(decline);
  }
  const oldest = counted[PICTURE_DECLINES_MAX - 1];
  if (!oldest) return;
  const until = Math.ceil((oldest.tsSent + PICTURE_DECLINE_WINDOW_MS) / DAY_MS) * DAY_MS;
  return until > now ? until : undefined;
}

/** Anybody can come near and decline, so an account must be old, and differ in network and week from all others that count. */
function countsInMapChat(decline: Decline, counted: readonly Decline[]): boolean {
  const weekOf = ({ tsJoined }: Decline) => Math.floor(tsJoined / WEEK_MS);
  return (
    decline.tsSent - decline.tsJoined >= BROADCAST_DECLINER_AGE_MS &&
    counted.every(
      (other) => weekOf(other) !== weekOf(decline) && (other.network === null || other.network !== decline.network),
    )
  );
}
