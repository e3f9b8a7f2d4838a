import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";
import { runChatKill } from "./chat-kill.ts";
import { runChatModel } from "./chat-operations.ts";

it.each([0, 3])(
  "no acknowledged message is lost, duplicated or out of order, with %i message databases",
  {
    timeout: 180_000,
  },
  async (messageDatabases) => {
    const result = await runChatModel(await startWorker({ messageDatabases }), { operations: 240, seed: 7 });
    expect(result.operations).toBe(240);
    expect(result.acknowledged).toBeGreaterThan(60);
    expect(Math.min(result.repeated, result.aborted, result.evicted, result.taken, result.live)).toBeGreaterThan(0);
  },
);

it.each([0, 2])(
  "killing the server during writes loses no acknowledged message, with %i message databases",
  {
    timeout: 180_000,
  },
  async (databases) => {
    const result = await runChatKill(1, databases);
    expect(result.acknowledged).toBeGreaterThanOrEqual(30);
  },
);
