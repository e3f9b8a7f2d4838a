import { afterEach, expect, it, vi } from "vitest";
import { toBase64 } from "../../../device/base64.ts";
import type { LockRecord } from "../../../device/lock-record.ts";
import { randomBytes } from "./bytes.ts";
import { pinProblem } from "./settings/pin-rules.ts";
import { createOwnContent, fillSlot, isDigitsOnly, openSlot } from "./slots.ts";

const SLOT_BYTES = 668;
const randomSlot = () => toBase64(randomBytes(SLOT_BYTES));
const empty = (): LockRecord => ({
  salt: toBase64(randomBytes(16)),
  rounds: 1000,
  slots: [randomSlot(), randomSlot()],
  wrong: 0,
  after: 1,
  digits: true,
});
const lockedWith = (pin: string, fill = fillSlot) => fill(empty(), 0, pin, createOwnContent(randomBytes(32)));

afterEach(() => {
  vi.doUnmock("@lambda/contract/typed");
  vi.resetModules();
});

it.each(["7294", "٧٢٩٤", "７２９４", "७२९४", " 7294\u200B"])(
  "a PIN of digits opens in any script: %j",
  async (typed) => {
    expect((await openSlot(await lockedWith("7294"), typed))?.kind).toBe("own");
    expect((await openSlot(await lockedWith(typed), "7294"))?.kind).toBe("own");
    expect(isDigitsOnly(typed)).toBe(true);
  },
);

it.each([
  ["it's 12--34", "it’s 12—34"],
  ['say "hi" - now', "say “hi” – now"],
])("a phrase opens as it is typed on any keyboard: %s, %s", async (one, other) => {
  expect((await openSlot(await lockedWith(one), other))?.kind).toBe("own");
  expect((await openSlot(await lockedWith(other), one))?.kind).toBe("own");
  expect(pinProblem("’--——", "’--——")).toBe("tooShort");
});

it("keeps a phrase as it is typed", async () => {
  const record = await lockedWith("12-34 sheep");
  expect(await openSlot(record, "1234 sheep")).toBeUndefined();
  expect((await openSlot(record, "12-34 sheep"))?.kind).toBe("own");
  expect(isDigitsOnly("12-34")).toBe(false);
});

it("opens a lock from before, which knows the digits as they were typed", async () => {
  vi.resetModules();
  const asTyped = (text: string) => text;
  vi.doMock("@lambda/contract/typed", () => ({ asDigits: asTyped, asSeen: asTyped, foldSecret: asTyped }));
  const { fillSlot: fillAsTyped } = await import("./slots.ts");
  const record = await lockedWith("٧٢٩٤", fillAsTyped);
  expect((await openSlot(record, "٧٢٩٤"))?.kind).toBe("own");
  expect(await openSlot(record, "7294")).toBeUndefined();
});
