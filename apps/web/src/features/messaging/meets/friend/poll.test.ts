import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPoll } from "./poll.ts";

const shown: string[] = [];
let answers: PromiseWithResolvers<number | undefined>[];
const start = () =>
  createPoll(async () => {
    const name = `answer ${answers.length + 1}`;
    const answer = Promise.withResolvers<number | undefined>();
    answers.push(answer);
    const waitMs = await answer.promise;
    return () => {
      shown.push(name);
      return waitMs;
    };
  });

beforeEach(() => {
  vi.useFakeTimers();
  shown.length = 0;
  answers = [];
});
afterEach(() => vi.useRealTimers());

it("shows the answer to the last question only, whichever comes first, and asks again once", async () => {
  const poll = start();
  void poll.ask();
  void poll.ask();
  answers[1]?.resolve(1000);
  await vi.advanceTimersByTimeAsync(0);
  answers[0]?.resolve(10);
  await vi.advanceTimersByTimeAsync(999);
  expect(shown).toEqual(["answer 2"]);
  expect(answers).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(answers).toHaveLength(3);
});

it.each(["stop", "end"] as const)("shows nothing that comes after %s, and asks no more by itself", async (method) => {
  const poll = start();
  void poll.ask();
  poll[method]();
  answers[0]?.resolve(10);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual([]);
  expect(answers).toHaveLength(1);
  void poll.ask();
  expect(answers).toHaveLength(method === "stop" ? 2 : 1);
});

it("ends with an answer that says so", async () => {
  const poll = start();
  void poll.ask();
  answers[0]?.resolve(undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  void poll.ask();
  expect([shown, answers.length, poll.isOver()]).toEqual([["answer 1"], 1, true]);
});
