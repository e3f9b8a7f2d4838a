/**
 * Which pictures a notice hides before staff look. docs/decisions/2026-11-22-legal-notices-without-an-account.md says what is credible and
 * what limits abuse; these limits never keep a notice from being received.
 */
import {
  DAY_MS,
  NOTICE_HIDDEN_MAX,
  NOTICE_HIDDEN_PER_SENDER_MAX,
  NOTICE_MAILBOX_DISTRUSTED_MS,
  NOTICE_NETWORK_DISTRUSTED_MS,
  NOTICES_HIDING_PER_DAY_MAX,
} from "@lambda/contract/limits";
import { sql } from "kysely";
import type { NoticeRow } from "../../platform/db/tables.ts";
import { isWithinLimit } from "../../platform/rate-limits/limit.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import type { AttachablePicture } from "./attachable.ts";

/**
 * A network may belong to thousands of people, so what one of them did limits only pictures that are named by address: whoever attaches
 * the picture is judged by their mailbox alone.
 */
export async function listHiddenAtOnce(
  ctx: NotifyContext,
  notice: NoticeRow,
  pictures: readonly AttachablePicture[],
): Promise<AttachablePicture[]> {
  // A held picture is already invisible, and its owner must not be notified.
  const candidates = notice.kind === "intimate" ? pictures.filter(({ cleared, held }) => !cleared && !held) : [];
  if (candidates.length === 0) return [];
  const sender = await readSender(ctx, notice);
  if (sender.falseByMailbox) return [];
  const isNetworkTrusted =
    !sender.falseByNetwork && sender.hiddenByNetwork + candidates.length <= NOTICE_HIDDEN_PER_SENDER_MAX;
  const hidden = isNetworkTrusted ? candidates : candidates.filter(({ matches }) => matches);
  const { hiddenByMailbox, hiddenByAll } = sender;
  const isWithinMax =
    hiddenByMailbox + hidden.length <= NOTICE_HIDDEN_PER_SENDER_MAX && hiddenByAll + hidden.length <= NOTICE_HIDDEN_MAX;
  if (hidden.length === 0 || !isWithinMax) return [];
  return (await isWithinLimit(ctx.env, "notices-of-all", NOTICES_HIDING_PER_DAY_MAX, DAY_MS)) ? hidden : [];
}

/** False notices of the sender, and undecided pictures that are hidden. */
function readSender({ db, now }: NotifyContext, { sender_mailbox: mailbox, sender_network: network }: NoticeRow) {
  const byMailbox = sql<boolean>`n.sender_mailbox = ${mailbox}`;
  const byNetwork = sql<boolean>`n.sender_network = ${network}`;
  const hasFalse = (bySender: typeof byMailbox, forMs: number) =>
    sql<number>`exists (select 1 from notice n where n.unfounded = 1 and n.ts_decided > ${now - forMs} and ${bySender})`;
  const countHidden = (bySender: typeof byMailbox) =>
    sql<number>`(select count(*) from notice n join notice_picture h on h.notice_id = n.id
      where n.ts_decided is null and h.state = 'hidden' and ${bySender})`;
  return db
    .selectNoFrom([
      hasFalse(byMailbox, NOTICE_MAILBOX_DISTRUSTED_MS).as("falseByMailbox"),
      hasFalse(byNetwork, NOTICE_NETWORK_DISTRUSTED_MS).as("falseByNetwork"),
      countHidden(byMailbox).as("hiddenByMailbox"),
      countHidden(byNetwork).as("hiddenByNetwork"),
      countHidden(sql<boolean>`1`).as("hiddenByAll"),
    ])
    .executeTakeFirstOrThrow();
}
