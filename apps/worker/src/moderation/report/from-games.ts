import type { CommitAnswer, Finding } from "../../games/commit.ts";
import type { NotifyContext } from "../../notifications/notify.ts";
import { batch } from "../../platform/db/database.ts";
import { staffEvent, withAudit } from "../audit/log.ts";
import { freezePicture, freezeProfile } from "../evidence/freeze.ts";
import { type NewCase, openCase } from "./open-case.ts";

/** The credibility of a players' consensus as a reporter. */
const CONSENSUS_CREDIBILITY = 0.8;

/** Commits a game item's answer together with the case and the audit entry that follow from it. */
export const commitGameAnswer: CommitAnswer = async (ctx, { queries, finding, staffAnswer }) => {
  // Logged privately: the public chain must not reveal that the answer opened a case.
  const events = staffAnswer ? [staffEvent(ctx, "staff.game_answered", staffAnswer)] : [];
  if (finding) await openCase(ctx, await toCase(ctx, finding), () => ({ queries, events }));
  else if (events.length > 0) await withAudit(ctx, queries, events);
  else await batch(ctx.d1, queries);
};

async function toCase({ db, env, now }: NotifyContext, finding: Finding): Promise<NewCase> {
  const { rule, subjectId, picture, text } = finding;
  const profile = await freezeProfile(db, subjectId, now);
  const frozen = picture && (await freezePicture(env, { ...picture, profile_id: subjectId, nsfw: true }, now));
  return {
    subjectId,
    category: rule,
    source: picture ? "picture" : "profile",
    sourceId: picture?.id ?? subjectId,
    text,
    filer: "game",
    credibility: CONSENSUS_CREDIBILITY,
    items: frozen ? [frozen, profile] : [profile],
  };
}
