import type { CommitAnswer, Finding, StaffAnswer } from "../../games/commit.ts";
import type { NotifyContext } from "../../messaging/notifications/notify.ts";
import { batch } from "../../platform/db/batch.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { withAudit } from "../audit/log.ts";
import { freezePicture, freezeProfile } from "../evidence/freeze.ts";
import { type NewCase, openCase } from "./open-case.ts";

/** The credibility of a players' consensus as a reporter. */
const CONSENSUS_CREDIBILITY = 0.8;

/** Commits a game item's answer together with the case and the audit entry that follow from it. */
export const commitGameAnswer: CommitAnswer = async (ctx, { queries, finding, staffAnswer }) => {
  const events = staffAnswer ? [toAuditEvent(ctx, staffAnswer)] : [];
  if (finding) await openCase(ctx, await toCase(ctx, finding), () => ({ queries, events }));
  else if (events.length > 0) await withAudit(ctx, queries, events);
  else await batch(ctx.d1, queries);
};

/** The answer is logged privately: the public chain must not reveal that it opened a case. */
function toAuditEvent({ brand }: NotifyContext, answered: StaffAnswer): AuditEvent {
  const { game, answer, itemId, subjectId, adminId } = answered;
  return {
    brand: brand.id,
    action: "staff.game_answered",
    by: "staff",
    caseRef: null,
    details: { game },
    subjectId,
    actorId: adminId,
    privateDetails: { itemId, answer },
  };
}

async function toCase({ db, env, now }: NotifyContext, finding: Finding): Promise<NewCase> {
  const { rule, subjectId, picture, text } = finding;
  const profile = await freezeProfile(db, subjectId, now);
  const byGame = {
    subjectId,
    category: rule,
    text,
    credibility: CONSENSUS_CREDIBILITY,
    filer: "game" as const,
  };
  if (!picture) return { ...byGame, source: "profile", sourceId: subjectId, items: [profile] };
  const frozen = await freezePicture(env, { ...picture, profile_id: subjectId, nsfw: true }, now);
  return { ...byGame, source: "picture", sourceId: picture.id, items: [frozen, profile] };
}
