import { describe, expect, it, vi } from "vitest";
import type { Env } from "../env.ts";
import type { Charge, Counted } from "../objects.ts";
import { spendQuotaAhead } from "./spend-ahead.ts";

vi.stubGlobal("__DEVELOPMENT__", true);

const MAX = 60;
let nextMember = 1;

/** A member's object, which counts at once and answers when `answers` says so. */
function setUp() {
  const member = nextMember++;
  const object = { count: 0, ends: Date.now() + 60_000, isUp: true, answers: true, asked: () => {} };
  const waiting: (() => void)[] = [];
  const charge = async ([{ name, amount } = {} as Charge]: readonly Charge[]): Promise<Counted> => {
    object.asked();
    if (!object.isUp) throw new Error("not there");
    const isRefused = object.count + amount > MAX;
    if (!isRefused) object.count += amount;
    const windows = [{ name, count: object.count, ends: object.ends }];
    if (!object.answers) await new Promise<void>((resolve) => waiting.push(resolve));
    return { refusal: isRefused ? { name, waitMs: 1000 } : null, windows };
  };
  const giveBack = async ([{ amount } = { amount: 0 }]: readonly Pick<Charge, "amount">[]) => {
    object.count -= amount;
  };
  const env = { RATE_LIMITER: { getByName: () => ({ charge, giveBack }) } } as unknown as Env;
  const work: Promise<unknown>[] = [];
  const undo: (() => Promise<void>)[] = [];
  const waitUntil = (promise: Promise<unknown>) => void work.push(promise.catch(() => undefined));
  /** Resolves to how the call ended, or to "waits" if it still waits once the object was asked. */
  const send = async () => {
    const asked = new Promise<void>((resolve) => {
      object.asked = resolve;
    });
    let outcome = "waits";
    const done = spendQuotaAhead({ env, quotas: false, undo, waitUntil }, "messages", member, { messagesPerMinute: 1 });
    work.push(
      done.then(
        () => {
          outcome = "sent";
        },
        (error: Error & { code?: string }) => {
          outcome = error.code ?? error.message;
        },
      ),
    );
    await asked;
    await new Promise((resolve) => setImmediate(resolve));
    return outcome;
  };
  const answer = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    await Promise.all(work);
  };
  return { object, undo, send, answer };
}

describe("a message", () => {
  it("waits for its count only while the isolate knows of none, or another is not counted yet", async () => {
    const { object, send, answer } = setUp();
    object.answers = false;
    expect(await send()).toBe("waits");
    await answer();
    expect([await send(), await send()]).toEqual(["sent", "waits"]);
    await answer();
    expect([await send(), object.count]).toEqual(["sent", 4]);
  });

  it("is refused exactly, once half of the quota is used up", async () => {
    const { object, send } = setUp();
    const sent: unknown[] = [];
    for (let count = 0; count < MAX + 2; count += 1) sent.push(await send());
    expect(sent).toEqual([...Array(MAX).fill("sent"), "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS"]);
    expect(object.count).toBe(MAX);
  });

  it("goes through once if others used up the quota meanwhile, and is not counted", async () => {
    const { object, send, answer } = setUp();
    await send();
    object.count = MAX;
    expect(await send()).toBe("sent");
    await answer();
    expect([await send(), object.count]).toEqual(["TOO_MANY_REQUESTS", MAX]);
  });

  it("gives back what was counted, and nothing that was not", async () => {
    const { object, undo, send, answer } = setUp();
    await send();
    await send();
    expect(object.count).toBe(2);
    await undo.pop()?.();
    expect(object.count).toBe(1);
    object.count = MAX;
    await send();
    await answer();
    await undo.pop()?.();
    expect(object.count).toBe(MAX);
  });

  it("waits again after a count that failed", async () => {
    const { object, send, answer } = setUp();
    await send();
    object.isUp = false;
    expect(await send()).toBe("sent");
    await answer();
    expect(await send()).toBe("waits");
    await answer();
  });
});
