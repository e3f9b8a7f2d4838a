import { createJuryPool } from "./jury-pool.ts";
import { signIn, type TestMember } from "./member.ts";
import type { TestWorker } from "./worker.ts";

export async function fillJuryPool(worker: TestWorker, count?: number): Promise<void> {
  await createJuryPool(worker.run, count);
}

export interface Seat {
  readonly juror: TestMember;
  readonly juryId: number;
}

/** Those who are summoned to open juries now, each with a session. */
export async function listSeats(worker: TestWorker): Promise<Seat[]> {
  const { results } = await worker.env.DB.prepare(
    `select v.profile_id, v.jury_id from juror v join jury j on j.id = v.jury_id
     where v.state = 'summoned' and j.state = 'open' order by v.jury_id, v.profile_id`,
  ).all<{ profile_id: number; jury_id: number }>();
  return Promise.all(
    results.map(async (row) => ({ juror: await signIn(worker, row.profile_id), juryId: row.jury_id })),
  );
}

/** Each seat votes in turn. */
export async function voteAll(
  seats: readonly Seat[],
  vote: (index: number) => Record<string, unknown>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const [index, { juror, juryId }] of seats.entries()) {
    statuses.push((await juror.send("POST", `/api/arbitration/${juryId}/vote`, vote(index))).status);
  }
  return statuses;
}

export const guilty = (sanction: string) => ({
  ...{ verdict: "violation", sanction },
  reason: "Threatening tone all through.",
});
export const innocent = { verdict: "no_violation", reason: "Rude, but no rule is broken here." };
