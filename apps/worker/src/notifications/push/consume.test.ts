import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "../../platform/env.ts";
import { consumePushes } from "./consume.ts";

beforeEach(() => vi.stubGlobal("__DEVELOPMENT__", false));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(console.error).mockReset();
});

it("retries only the member whose object fails, and acknowledges the rest of the batch", async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  const isSeen = (name: string) => async () => {
    if (name === "1") throw new Error("Durable Object reset because its code was updated.");
    return true;
  };
  const env = { MEMBER: { getByName: (name: string) => ({ isSeen: isSeen(name) }) } } as unknown as Env;
  const outcomes: string[] = [];
  const messages = [1, 2, 3].map((profileId) => ({
    body: { profileId, kind: "message", brand: "ember", created: Date.now() },
    attempts: 2,
    ack: () => outcomes.push(`${profileId} done`),
    retry: ({ delaySeconds }: { delaySeconds: number }) => outcomes.push(`${profileId} again in ${delaySeconds} s`),
  }));
  await consumePushes(messages as unknown as readonly Message<unknown>[], env);
  expect(outcomes).toEqual(["1 again in 12 s", "2 done", "3 done"]);
  expect(vi.mocked(console.error).mock.calls.join()).toContain("code was updated");
});
