/** Opening a case draws its jury, which must not read more of a community because it grew. */

import { listSummonedJurors } from "@lambda/testing/juries";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember } from "@lambda/testing/member";
import { readCost } from "@lambda/testing/scenes/positions";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";

/** Each draw begins at another place of the random order, so that the members it reads differ a little. */
const DRAWS = 4;

async function readFirstReports(poolSize: number): Promise<number[]> {
  const worker = await startWorker();
  await createJuryPool(worker.run, poolSize);
  const reporter = await createMember(worker);
  const rows: number[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const subject = await createMember(worker);
    const response = await reporter.send("POST", "/api/report", { subjectProfileId: subject.id, category: "hate" });
    expect(response.status).toBe(201);
    rows.push(readCost(response, "rows-read"));
  }
  expect((await listSummonedJurors(worker)).length).toBe(9 * DRAWS);
  return rows;
}

it("a first report reads as many rows among 3,700 members as among 370", async () => {
  const small = await readFirstReports(370);
  const large = await readFirstReports(3700);
  expect(Math.max(...large)).toBeLessThanOrEqual(Math.max(...small) * 1.2);
});
