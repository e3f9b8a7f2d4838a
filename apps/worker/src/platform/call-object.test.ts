import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deliverToMember } from "./call-object.ts";
import { spendQuota } from "./rate-limits/limit.ts";

beforeEach(() => vi.stubGlobal("__DEVELOPMENT__", false));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A namespace of objects whose first calls fail, as after a deployment. */
function resetObjects<Result>(failures: number, method: string, result: Result) {
  const call = vi.fn(async () => {
    if (call.mock.calls.length <= failures) throw new Error("The object was reset");
    return result;
  });
  return { call, namespace: { getByName: () => ({ [method]: call }) } as never };
}

it("reaches a member's object that was just reset, and tells the caller to notify instead when it stays out of reach", async () => {
  const fault = vi.spyOn(console, "error").mockReturnValue();
  const deliver = (failures: number) =>
    deliverToMember({ MEMBER: resetObjects(failures, "deliver", true).namespace }, 7, [], null);
  expect(await deliver(1)).toBe(true);
  expect(fault).not.toHaveBeenCalled();
  expect(await deliver(2)).toBe(false);
  expect(fault).toHaveBeenCalledOnce();
  fault.mockClear();
});

it("spends a quota although its object was just reset", async () => {
  const { call, namespace } = resetObjects(1, "spend", null);
  await spendQuota({ env: { RATE_LIMITER: namespace } as never, quotas: true }, "likes", 7, { likes: 1 });
  expect(call).toHaveBeenCalledTimes(2);
});

/** Files that may call an object without the helpers, as a failure may fail their answer, and those that store bytes, with what makes it safe. */
const LOOKED_AT: Record<string, readonly string[]> = {
  "getByName|getLimiter": [
    "messaging/meets/router.ts: a plan lives in its object alone",
    "messaging/messages/connect.ts: opens a socket, which the device tries again",
    "messaging/messages/limits.ts: wrapped",
    "messaging/messages/socket-object.ts: caught; the object counts again",
    "notifications/push/consume.ts: the queue retries",
    "places/areas/area.ts: wrapped, or opens a socket",
    "places/travel/coming.ts: wrapped",
    "platform/call-object.ts",
    "platform/mail/send-mail.ts: caught; the mail goes out",
    "platform/map/squares.ts: wrapped, or opens a socket",
    "platform/metering/doors.ts: counts what others call",
    "platform/metrics/counts.ts: jobs, staff and the status page, whose answer it is",
    "platform/rate-limits/image-work.ts: caught; the picture is taken",
    "platform/rate-limits/limit.ts: wrapped",
    "platform/rate-limits/spend-ahead.ts: wrapped; what was not waited for is waited for next time",
    "platform/rate-limits/usage.ts: wrapped",
  ],
  "PICTURES.put": [
    "data-rights/closing/close-down.ts: a job's cursor",
    "messaging/voices/store.ts: bytes before their row",
    "moderation/evidence/freeze.ts: bytes before their row",
    "moderation/hold/start.ts: bytes before their row",
    "pictures/garbage-collection.ts: a job's cursor",
    "pictures/known/held.ts: bytes before their row",
    "pictures/store.ts: a row that reserves the id, then the bytes, then the batch that publishes both",
    "places/positions/density.ts: a job's cursor",
    "platform/backup/pictures.ts: a job's cursor",
    "platform/bucket/mark.ts: about the bucket itself",
    "platform/bucket/sweep.ts: a job's cursor",
    "platform/mail/send-mail.ts: development only",
    "profiles/likes/forgotten-likes.ts: a job's cursor",
  ],
};

it.each(Object.entries(LOOKED_AT))(
  "%s is called only where somebody has looked at what its failure leaves",
  (call, files) => {
    const source = join(ROOT, "apps/worker/src");
    const calling = globSync("**/*.ts", { cwd: source }).filter(
      (file) => !file.includes(".test.") && readFileSync(join(source, file), "utf8").match(new RegExp(`(${call})\\(`)),
    );
    expect(calling.toSorted()).toEqual(files.map((file) => file.split(":")[0]));
  },
);
