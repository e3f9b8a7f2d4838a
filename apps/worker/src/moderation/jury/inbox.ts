import { type JuryCase, type JuryInbox, JurySanction, type Precedent } from "@lambda/contract/arbitration";
import { JURY_SEATS, JURY_VOTING_MS } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { redact } from "../../profiles/redact.ts";
import { listComplaints, listEvidence } from "../evidence/shares.ts";
import { isShownToJurors } from "../evidence/withdrawn.ts";
import { evidenceWords } from "../evidence/words.ts";

/** Reads the redacted cases that wait for the viewer's vote, and the viewer's record as a juror. */
export async function readInbox(ctx: MemberContext): Promise<JuryInbox> {
  const ownRecord = ctx.db
    .selectFrom("juror_record")
    .selectAll()
    .where("profile_id", "=", ctx.viewer.profileId)
    .executeTakeFirst();
  const [seats, record] = await Promise.all([listSummonses(ctx), ownRecord]);
  const cases = await Promise.all(seats.map((seat) => readCase(ctx, seat)));
  const { opted_out = 0, summoned = 0, voted = 0, with_majority: withMajority = 0, overturned = 0 } = record ?? {};
  return { cases, optedOut: opted_out === 1, record: { summoned, voted, withMajority, overturned } };
}

function listSummonses({ db, viewer, brand }: MemberContext) {
  return db
    .selectFrom("juror as r")
    .innerJoin("jury as j", "j.id", "r.jury_id")
    .innerJoin("report as c", "c.id", "j.report_id")
    .innerJoin("profile as p", "p.id", "c.subject_id")
    .leftJoin("appeal as a", "a.jury_id", "j.id")
    .select(["j.id as jury_id", "j.round", "r.ts_summoned", "c.id as report_id", "c.category", "c.source", "a.text"])
    .select(["p.profile_name", "c.subject_id"])
    .select((eb) =>
      eb
        .selectFrom("juror as v")
        .select((v) => v.fn.countAll<number>().as("n"))
        .whereRef("v.jury_id", "=", "j.id")
        .where("v.state", "=", "voted")
        .as("votes"),
    )
    .where("r.profile_id", "=", viewer.profileId)
    .where("r.state", "=", "summoned")
    .where("j.state", "=", "open")
    .where("c.brand", "=", brand.id)
    .orderBy("r.jury_id")
    .limit(5)
    .execute();
}
type Seat = Awaited<ReturnType<typeof listSummonses>>[number];

const COMPLAINTS_MAX = 30;
const EVIDENCE_MAX = 60;
const REPORTERS_REDACTED_MAX = 500;

async function readCase(ctx: MemberContext, seat: Seat): Promise<JuryCase> {
  const { db } = ctx;
  const reportId = seat.report_id;
  const [complaints, { rows: evidence, omitted }, reporters] = await Promise.all([
    listComplaints(db, reportId, COMPLAINTS_MAX, true),
    listEvidence(db, reportId, EVIDENCE_MAX, isShownToJurors()),
    db
      .selectFrom("report_filing as f")
      .innerJoin("profile as p", "p.id", "f.reporter_id")
      .select("p.profile_name")
      .where("f.report_id", "=", reportId)
      .limit(REPORTERS_REDACTED_MAX)
      .execute(),
  ]);
  // Also of reporters who wrote nothing: their names are in what was written to them.
  const names = [seat.profile_name, ...reporters.map((reporter) => reporter.profile_name)];
  const hasPicture = evidence.some((item) => item.kind === "picture");
  return {
    juryId: seat.jury_id,
    round: seat.round,
    category: seat.category as Rule,
    source: seat.source,
    sanctions: JurySanction.options.filter((sanction) => sanction !== "hide_picture" || hasPicture),
    complaints: complaints.rows.map((filing) => redact(filing.text, names)),
    appeal: seat.text === null ? null : redact(seat.text, names),
    evidence: evidence.map((item) => {
      const body = JSON.parse(item.body) as Record<string, string | number | boolean>;
      return {
        id: item.id,
        kind: item.kind,
        author: item.author_id === seat.subject_id ? ("reported" as const) : ("other" as const),
        text: redact(evidenceWords(body), names),
        hasPicture: item.r2_key !== null && item.kind === "picture",
        hasVoice: item.r2_key !== null && item.kind === "voice",
        nsfw: body.nsfw === true,
      };
    }),
    omitted: complaints.omitted + omitted,
    votes: seat.votes ?? 0,
    seats: JURY_SEATS,
    tsAnswerBy: toIso(seat.ts_summoned + JURY_VOTING_MS),
  };
}

/** Finds a frozen picture or voice introduction for a juror who is summoned to its case. */
export async function findJurorEvidence(
  ctx: MemberContext,
  evidenceId: number,
): Promise<{ r2_key: string } | undefined> {
  const row = await ctx.db
    .selectFrom("evidence as e")
    .innerJoin("jury as j", "j.report_id", "e.report_id")
    .innerJoin("juror as r", (join) =>
      join.onRef("r.jury_id", "=", "j.id").on("r.profile_id", "=", ctx.viewer.profileId),
    )
    .innerJoin("report as c", "c.id", "e.report_id")
    .select("e.r2_key")
    .where("c.brand", "=", ctx.brand.id)
    .where("e.id", "=", evidenceId)
    // A juror could recognize the speaker of a personal voice message, so only staff hear those.
    .where("e.kind", "in", ["picture", "voice"])
    .where(isShownToJurors())
    .where("j.state", "=", "open")
    .where("r.state", "=", "summoned")
    .executeTakeFirst();
  return row?.r2_key ? { r2_key: row.r2_key } : undefined;
}

/** Only the latest cases are searched; older ones say little about today's community. */
const PRECEDENTS_READ = 500;
const PRECEDENTS_SHOWN = 30;

/** Finds decided cases of this brand whose summary contains every word of `text`. */
export async function searchPrecedents(
  ctx: MemberContext,
  filter: { category?: Rule | undefined; text: string },
): Promise<Precedent[]> {
  let query = ctx.db
    .selectFrom("precedent")
    .select(["category", "outcome", "summary", "ts_decided"])
    .where("brand", "=", ctx.brand.id)
    .orderBy("ts_decided", "desc")
    .limit(filter.text === "" ? PRECEDENTS_SHOWN : PRECEDENTS_READ);
  if (filter.category) query = query.where("category", "=", filter.category);
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = await query.execute();
  return rows
    .filter((row) => words.every((word) => row.summary.toLowerCase().includes(word)))
    .slice(0, PRECEDENTS_SHOWN)
    .map((row) => ({
      category: row.category as Rule,
      outcome: row.outcome as Precedent["outcome"],
      summary: row.summary,
      tsDecided: toIso(row.ts_decided),
    }));
}
