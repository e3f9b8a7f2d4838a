import { logIn, type TestMember } from "./member.ts";
import type { TestWorker } from "./worker.ts";

export interface SummonedJuror {
  readonly juror: TestMember;
  readonly juryId: number;
}

/** Logs in the jurors who are summoned to open juries. */
export async function listSummonedJurors(worker: TestWorker): Promise<SummonedJuror[]> {
  const { results } = await worker.env.DB.prepare(
    `select v.profile_id, v.jury_id from juror v join jury j on j.id = v.jury_id
     where v.state = 'summoned' and j.state = 'open' order by v.jury_id, v.profile_id`,
  ).all<{ profile_id: number; jury_id: number }>();
  return Promise.all(results.map(async (row) => ({ juror: await logIn(worker, row.profile_id), juryId: row.jury_id })));
}

/** Lets the jurors vote one after the other, and returns the statuses of their requests. */
export async function castVotes(
  jurors: readonly SummonedJuror[],
  vote: (index: number) => Record<string, unknown>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const [index, { juror, juryId }] of jurors.entries()) {
    statuses.push((await juror.send("POST", `/api/arbitration/${juryId}/vote`, vote(index))).status);
  }
  return statuses;
}

export const guilty = (sanction: string) => ({
  verdict: "violation",
  sanction,
  reason: "Threatening tone all through.",
});
export const innocent = { verdict: "no_violation", reason: "Rude, but no rule is broken here." };
