import { expect, it } from "vitest";
import { type Bytes, createSealer } from "./sealer.ts";

const newKey = () =>
  crypto.subtle.importKey("raw", crypto.getRandomValues(new Uint8Array(32)), "HKDF", false, ["deriveKey"]);

it("seals at once after it was made, each time differently, and opens only with its key", async () => {
  const key = await newKey();
  const sealer = await createSealer(key);
  expect(sealer.seal("early")).toBeInstanceOf(Promise);
  expect(await sealer.open(await sealer.seal({ name: "a", value: ["ä"] }))).toEqual({ name: "a", value: ["ä"] });
  const [one, other] = [sealer.seal("a draft"), sealer.seal("a draft")] as Bytes[];
  expect(one).toBeInstanceOf(Uint8Array);
  expect(one).not.toEqual(other);
  expect(await (await createSealer(key)).open(one)).toBe("a draft");
  await expect((await createSealer(await newKey())).open(one)).rejects.toThrow();
});

it("never uses a part of its key stream twice, even if more is sealed than was prepared", async () => {
  const sealer = await createSealer(await newKey());
  await sealer.seal("");
  const plain = "a".repeat(200_000);
  const sealed = await Promise.all(Array.from({ length: 20 }, () => sealer.seal(plain)));
  const counters = sealed.flatMap((bytes) => {
    const nonce = bytes.subarray(0, 12).join();
    const first = new DataView(bytes.buffer).getUint32(12);
    return Array.from({ length: Math.ceil((bytes.length - 16) / 16) }, (_, index) => `${nonce}:${first + index}`);
  });
  expect(new Set(counters).size).toBe(counters.length);
  expect(await Promise.all(sealed.map((bytes) => sealer.open(bytes)))).toEqual(sealed.map(() => plain));
});
