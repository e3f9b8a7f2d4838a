import { IS_NIGHTLY } from "@lambda/testing/nightly";
import { runChatKill } from "@lambda/testing/proofs/chat-kill";
import { runChatModel } from "@lambda/testing/proofs/chat-operations";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";

const [OPERATIONS, KILLS] = IS_NIGHTLY ? [10_000, 5] : [240, 1];

it.each([0, 3])(
  "no acknowledged message is lost, duplicated or out of order, with %i message databases",
  {
    timeout: 1_800_000,
  },
  async (messageDatabases) => {
    const result = await runChatModel(await startWorker({ messageDatabases }), { operations: OPERATIONS, seed: 7 });
    expect(result.operations).toBe(OPERATIONS);
    expect(result.acknowledged).toBeGreaterThan(60);
    expect(Math.min(result.repeated, result.aborted, result.evicted, result.taken, result.live)).toBeGreaterThan(0);
  },
);

it.each([0, 2])(
  "killing the server during writes loses no acknowledged message, with %i message databases",
  {
    timeout: 1_800_000,
  },
  async (databases) => {
    const result = await runChatKill(KILLS, databases);
    expect(result.acknowledged).toBeGreaterThanOrEqual(30);
  },
);
