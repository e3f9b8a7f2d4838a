import {
  type Expectation,
  type HostileFile,
  makeCorpus,
  type Samples,
  strayBytes,
} from "@lambda/testing/hostile-files/corpus";
import { exif, JFIF, JPEG_SEGMENTS, SECRET, withJpegSegments } from "@lambda/testing/hostile-files/metadata";
import { createMember, type TestMember } from "@lambda/testing/member";
import { encodeAs, postPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { inspectImage } from "./inspect-image.ts";

/** Fewer than a member may upload per hour. */
const UPLOADS_EACH = 50;
const AT_ONCE = 5;
const STATUSES: Record<Expectation, readonly number[]> = {
  accepted: [201],
  refused: [400],
  type: [415],
  either: [201, 400, 415],
};
const PIXEL_CHUNKS = ["VP8 ", "VP8L", "VP8X", "ALPH"];
const TRACES = [SECRET, "Exif", "<script", "ns.adobe.com", "ICC_PROFILE", "GPS"].map((trace) => Buffer.from(trace));

let worker: TestWorker;
let samples: Samples;
let corpus: HostileFile[];

beforeAll(async () => {
  worker = await startWorker();
  const [width, height] = [40, 50];
  const png = makePng(width, height);
  const jpeg = await encodeAs(worker, png, "image/jpeg");
  samples = { png, jpeg, webp: await encodeAs(worker, png, "image/webp"), width, height };
  corpus = makeCorpus(samples);
});

/** Names of the chunks of a WebP. */
function chunksOf(webp: Buffer): string[] {
  const names: string[] = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    names.push(webp.toString("latin1", at, at + 4));
    const length = webp.readUInt32LE(at + 4);
    at += 8 + length + (length & 1);
  }
  return names;
}

/** Everything in these bytes that is not pixels. */
function leaksIn(bytes: Buffer): string[] {
  const foreign = chunksOf(bytes).filter((name) => !PIXEL_CHUNKS.includes(name));
  const traces = TRACES.filter((trace) => bytes.includes(trace)).map(String);
  const whole = bytes.length === bytes.readUInt32LE(4) + 8 ? [] : ["bytes behind the end"];
  return [...foreign, ...traces, ...whole];
}

describe("hostile files", () => {
  it("number at least 500, some with real GPS data", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(500);
    expect(corpus.filter(({ bytes }) => bytes.includes(exif(1).subarray(60))).length).toBeGreaterThan(20);
  });

  it("are rejected with a reason, or served as nothing but pixels", { tags: "slow", timeout: 300_000 }, async () => {
    const surprises: string[] = [];
    let accepted = 0;
    const send = async (member: TestMember, file: HostileFile) => {
      const type = `image/${file.name.split(".").pop()}`;
      const response = await postPicture(member, file.bytes, { name: file.name, type });
      const body = (await response.json()) as { id?: number; error?: { message: string; field?: string } };
      if (!STATUSES[file.expected].includes(response.status)) {
        surprises.push(`${file.name}: ${response.status} ${body.error?.message ?? ""}`);
      }
      if (response.status !== 201) {
        if (body.error?.field !== "picfile" || !body.error.message) surprises.push(`${file.name}: no reason`);
        return;
      }
      accepted += 1;
      for (const path of [`/api/profile/pic/${body.id}?orig=1`, `/api/profile-pic/${body.id}?scale_x=256`]) {
        const served = await member.fetch(path);
        const bytes = Buffer.from(await served.arrayBuffer());
        const leaks = leaksIn(bytes);
        if (served.headers.get("content-type") !== "image/webp" || leaks.length > 0) {
          surprises.push(`${file.name} ${path}: ${leaks.join(", ")}`);
        }
      }
    };
    for (let from = 0; from < corpus.length; from += UPLOADS_EACH) {
      const member = await createMember(worker);
      const files = corpus.slice(from, from + UPLOADS_EACH);
      for (let at = 0; at < files.length; at += AT_ONCE) {
        await Promise.all(files.slice(at, at + AT_ONCE).map((file) => send(member, file)));
      }
    }
    expect(surprises).toEqual([]);
    expect(accepted).toBeGreaterThan(100);
  });

  it("lose what stands outside their segments before anything decodes them", () => {
    const clean = Buffer.from(inspectImage(withJpegSegments(samples.jpeg, JFIF)).bytes);
    const accepted = strayBytes(samples).filter(({ expected }) => expected === "accepted");
    expect(accepted.length).toBe(7);
    for (const { name, bytes } of accepted)
      expect([name, Buffer.from(inspectImage(bytes).bytes)]).toEqual([name, clean]);
    const everything = withJpegSegments(samples.jpeg, ...Object.values(JPEG_SEGMENTS).map((make) => make()));
    // What describes the picture is left to the decoder, whose output has none of it.
    const kept = withJpegSegments(samples.jpeg, JPEG_SEGMENTS.exif(), JPEG_SEGMENTS.icc());
    expect(Buffer.from(inspectImage(everything).bytes)).toEqual(kept);
  });

  it("leave nothing in the bucket but pixels", async () => {
    const member = await createMember(worker);
    const jpeg = withJpegSegments(samples.jpeg, ...Object.values(JPEG_SEGMENTS).map((make) => make()));
    const upload = await postPicture(member, jpeg);
    const { id } = (await upload.json()) as { id: number };
    for (const width of [256, 512, 1024, 2048]) await member.fetch(`/api/profile-pic/${id}?scale_x=${width}`);
    await member.send("PUT", `/api/profile-pic/${id}`, { nsfw: true });
    await member.fetch(`/api/profile-pic/${id}`);
    const { objects } = await worker.env.PICTURES.list({ prefix: `pictures/${member.id}/${id}/` });
    expect(objects.map(({ key }) => key.split("/").pop()).sort()).toEqual([
      "256.webp",
      "original.webp",
      "pixelated.webp",
    ]);
    for (const { key } of objects) {
      const stored = await worker.env.PICTURES.get(key);
      expect(leaksIn(Buffer.from((await stored?.arrayBuffer()) ?? new ArrayBuffer(0)))).toEqual([]);
    }
  });
});

describe("an upload", () => {
  it("is rejected above 8,192,000 bytes, with or without a content-length", async () => {
    const member = await createMember(worker);
    const tooLarge = await postPicture(member, Buffer.concat([samples.png, Buffer.alloc(8_192_000)]));
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.json()).toEqual({
      error: {
        code: "TOO_LARGE",
        field: "picfile",
        reason: "BYTES",
        message: "picfile: the file is larger than 8,192,000 bytes",
      },
    });
    const muchTooLarge = await postPicture(member, Buffer.alloc(12_000_000));
    expect(muchTooLarge.status).toBe(413);
    const exact = await postPicture(member, Buffer.concat([samples.png, Buffer.alloc(8_192_000 - samples.png.length)]));
    expect(exact.status).toBe(201);
  });

  it("is rejected if the file is empty or missing, the body is no form, or the author is another member", async () => {
    const member = await createMember(worker);
    const empty = await postPicture(member, Buffer.alloc(0));
    expect(empty.status).toBe(400);
    const form = new FormData();
    form.set("authorProfileId", String(member.id));
    const none = await member.fetch("/api/profile-pic", { method: "POST", body: form });
    expect(await none.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "picfile" } });
    const text = await member.fetch("/api/profile-pic", { method: "POST", body: "no form" });
    expect(text.status).toBe(400);
    const foreign = await postPicture(member, samples.png, { authorProfileId: member.id + 1 });
    expect(foreign.status).toBe(403);
  });

  it("is rejected if it names two albums or two pictures to replace, rather than take one of them", async () => {
    const member = await createMember(worker);
    const send = async (query: string, audiences: readonly string[]) => {
      const form = new FormData();
      form.set("authorProfileId", String(member.id));
      form.set("picfile", new File([Uint8Array.from(samples.png)], "picture.png"));
      for (const audience of audiences) form.append("audience", audience);
      const response = await member.fetch(`/api/profile-pic${query}`, { method: "POST", body: form });
      return ((await response.json()) as { error?: { field: string } }).error?.field;
    };
    expect(await send("", ["private"])).toBeUndefined();
    expect(await send("", ["public", "private"])).toBe("audience");
    expect(await send("?replace_id=1&replace_id=2", ["public"])).toBe("replace_id");
  });
});

it("rotates pictures upright before it drops their orientation", async () => {
  const member = await createMember(worker);
  const response = await postPicture(member, withJpegSegments(samples.jpeg, JPEG_SEGMENTS.exif(6)));
  expect(await response.json()).toMatchObject({ width: samples.height, height: samples.width });
});
