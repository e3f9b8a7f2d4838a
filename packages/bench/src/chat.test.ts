import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";
import { runChatKill } from "./chat-kill.ts";
import { runChatModel } from "./chat-operations.ts";

it("no acknowledged message is lost, doubled or out of order", { timeout: 180_000 }, async () => {
  const result = await runChatModel(await startWorker(), { operations: 240, seed: 7 });
  expect(result.operations).toBe(240);
  expect(result.acknowledged).toBeGreaterThan(60);
  expect(Math.min(result.repeated, result.aborted, result.evicted, result.taken, result.live)).toBeGreaterThan(0);
});

it("killing the server in the middle of writing loses nothing acknowledged", { timeout: 180_000 }, async () => {
  const result = await runChatKill(1);
  expect(result.acknowledged).toBeGreaterThanOrEqual(30);
});
