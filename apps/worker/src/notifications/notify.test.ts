import type { NotificationKind } from "@lambda/contract/notification-kinds";
import { expect, it } from "vitest";
import { announce, type NotifyContext } from "./notify.ts";

it.each<[NotificationKind, number, string[], boolean]>([
  ["security", 1, ["queued", "delivered"], true],
  ["message", 1, ["delivered", "queued"], true],
  ["security", 2, ["delivered"], false],
])(
  "a push of kind %s survives a queue that fails %i times in a row, and its event any",
  async (kind, failures, expected, isSent) => {
    const done: string[] = [];
    let left = failures;
    const send = async () => {
      if (left-- > 0) throw new Error("Too Many Requests");
      done.push("queued");
    };
    const deliver = async () => {
      done.push("delivered");
      return false;
    };
    const work: Promise<unknown>[] = [];
    const env = { PUSH_QUEUE: { send }, MEMBER: { getByName: () => ({ deliver }) } };
    const waitUntil = (promise: Promise<unknown>) => void work.push(promise);
    announce({ env, brand: { id: "ember" }, now: 1, waitUntil } as unknown as NotifyContext, 7, kind);
    const outcomes = await Promise.allSettled(work);
    expect(done).toEqual(expected);
    // Otherwise the platform logs it.
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([isSent]);
  },
);
