import { ONCE_UNSENT_RETENTION_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import { createMember, type TestMember } from "@lambda/testing/member";
import {
  MP4_SAMPLE,
  mp4Recording,
  plainMp4Recording,
  postVoice,
  type VoiceOptions,
  webmRecording,
} from "@lambda/testing/recordings";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { purgeDeletedAccounts } from "../../data-rights/deletion/purge.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { deleteDueOnceViews } from "../messages/once-view.ts";
import { deleteDueVoices } from "./store.ts";

let worker: TestWorker;
let sender: TestMember;
let reader: TestMember;
let stranger: TestMember;

beforeAll(async () => {
  worker = await startWorker();
  [sender, reader, stranger] = [
    await createMember(worker, { freshProof: true }),
    await createMember(worker),
    await createMember(worker, { adminBrand: "ember" }),
  ];
  await reader.send("POST", "/api/message", { recipientProfileId: sender.id, bodyText: "Say something" });
});

const stored = async (options?: VoiceOptions) =>
  ((await (await postVoice(sender, options)).json()) as { id: number }).id;
const send = (voiceId: number, from = sender, to = reader) =>
  from.send("POST", "/api/message", { recipientProfileId: to.id, attachment: { type: "voice", voiceId } });
const sent = async (options?: VoiceOptions) => (await (await send(await stored(options))).json()) as Message;
const voiceOf = ({ attachment }: Message) => (attachment?.type === "voice" ? attachment.voiceId : 0);
const play = (member: TestMember, id: number, range?: string) =>
  member.fetch(`/api/voice/${id}`, range ? { headers: { range } } : {});
const objects = async () => {
  const lists = ["voices", "once"].map((part) => worker.env.PICTURES.list({ prefix: `${part}/${sender.id}/` }));
  return (await Promise.all(lists)).reduce((count, { objects: some }) => count + some.length, 0);
};
const deleteDue = (later = 0) => deleteDueVoices(worker.env, openDatabase(worker.env.DB), Date.now() + later);
const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes);

describe("an uploaded recording", () => {
  it("is accepted as WebM and MP4, without anything that names a device, a place or a time", async () => {
    for (const make of [webmRecording, mp4Recording, plainMp4Recording]) {
      const recording = make({ secret: "iPhone of Marco" });
      const message = await sent({ bytes: recording });
      expect(message.attachment).toMatchObject({ type: "voice", durationMs: 3000, peaks: [1, 50, 100, 7] });
      const answer = await play(reader, voiceOf(message));
      expect(answer.status).toBe(200);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect(bytes.length).toBe(recording.length);
      for (const secret of ["iPh", "one", "Mar", "Chrome", "\x12\x34\x56\x78", "\x07\x07\x07\x07"]) {
        expect([make.name, latin(bytes)]).not.toEqual([make.name, expect.stringContaining(secret)]);
      }
      // All of the sound is still there.
      const sound = latin(make === webmRecording ? Uint8Array.of(0x80, 1, 2, 3, 4) : MP4_SAMPLE);
      expect(latin(bytes).split(sound)).toHaveLength(latin(recording).split(sound).length);
    }
  });

  it("cannot carry a text in the setup of a codec, in another track, or in sound that lies elsewhere", async () => {
    const [webm, mp4] = [latin(webmRecording()), latin(mp4Recording())];
    const setup = webm.slice(webm.indexOf("OpusHead") - 10, webm.indexOf("OpusHead") + 19);
    const fileOf = (binary: string) => Uint8Array.from(binary, (character) => character.charCodeAt(0));
    for (const [name, planted] of Object.entries({
      "no head of Opus": webm.replace("OpusHead", "iPhone 9"),
      "another codec of sound": webm.replace("A_OPUS", "A_FLAC"),
      "a setup that is too long": webm.replace(
        "\x63\xa2\x01\0\0\0\0\0\0\x13OpusHead",
        "\x63\xa2\x01\0\0\0\0\0\0\x20OpusHead",
      ),
      "a table of channels that nobody has": webm.replace(
        setup,
        `\x63\xa2\x01\0\0\0\0\0\x01\x14OpusHead\x01\xff${"\0".repeat(8)}\x01${"iPhone ".repeat(37).slice(0, 257)}`,
      ),
      "a second setup": webm.replace(setup, setup + setup),
      "blocks of no track": webm.replaceAll("\x81\0", "\x82\0"),
      "sound at the start of the file": mp4.replace(/(trun.{8}).{4}/s, "$1\0\0\0\0"),
      "sound beyond the end": mp4.replace(/(trun.{8}).{4}/s, "$1\0\x01\0\0"),
      "a number that is too long": webm.replace("\x42\x82\x01\0\0\0\0\0\0\x04webm", "\x42\x82\x01\0\0\0\0\0\0\x0awebm"),
    })) {
      expect([name, planted === webm || planted === mp4]).toEqual([name, false]);
      const answer = await postVoice(sender, { bytes: fileOf(planted) });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });

  it("lasts as long as its sound if that was interrupted, or goes on after the declared end", async () => {
    for (const make of [webmRecording, mp4Recording])
      for (const [ms, durationMs, shown] of [
        [4000, 20_000, 4000],
        [9000, 3000, 9000],
        [31_000, 3000, 30_000],
        [4500, 3000, 3000],
      ] as const) {
        const answer = await postVoice(sender, { bytes: make({ ms }), durationMs });
        expect(answer.status).toBe(201);
        const stored = ((await answer.json()) as { durationMs: number }).durationMs;
        expect([ms, Math.abs(stored - shown) <= 100]).toEqual([ms, true]);
      }
  });

  it("is rejected if it is no sound, too long, truncated, or too large", async () => {
    const good = webmRecording();
    const bad: VoiceOptions[] = [
      { bytes: new Uint8Array() },
      { bytes: new TextEncoder().encode("<script>alert(1)</script>") },
      ...[webmRecording, mp4Recording].flatMap((make) => [
        { bytes: make({ trackType: 1 }) },
        { bytes: make({ codec: "V_VP8".slice(0, 4) }) },
        { bytes: make({ ms: 40_000 }), durationMs: 30_000 },
        { bytes: make().slice(0, -3) },
      ]),
      { bytes: Uint8Array.from([...good.slice(0, 60), ...new Uint8Array(40).fill(0xff)]) },
    ];
    for (const [at, options] of bad.entries()) {
      const answer = await postVoice(sender, options);
      expect([at, answer.status]).toEqual([at, 400]);
      expect(await answer.json()).toMatchObject({ error: { field: "file" } });
    }
    expect((await postVoice(sender, { bytes: new Uint8Array(1_000_001) })).status).toBe(413);
    for (const [field, value] of Object.entries({ durationMs: "31000", peaks: "1,101", clientId: "x" })) {
      const answer = await postVoice(sender, { [field]: value });
      expect(await answer.json()).toMatchObject({ error: { field } });
    }
  });

  it("is stored once despite retries, and can be sent in one message by its owner", async () => {
    const clientId = crypto.randomUUID();
    const answers = await Promise.all([stored({ clientId }), stored({ clientId })]);
    expect(new Set([...answers, await stored({ clientId })]).size).toBe(1);
    const [id = 0] = answers;
    expect((await send(id, stranger)).status).toBe(404);
    expect((await play(sender, id)).status).toBe(404);
    const all = { bodyText: "All", attachment: { type: "voice", voiceId: id } };
    expect((await sender.send("POST", "/api/message", all)).status).toBe(400);
    expect((await send(id)).status).toBe(201);
    expect((await send(id)).status).toBe(404);
  });
});

describe("a voice message", () => {
  it("can be played by both members alone, also in ranges, but not behind a block", async () => {
    const id = voiceOf(await sent());
    const size = webmRecording().length;
    for (const member of [sender, reader]) expect((await play(member, id)).status).toBe(200);
    expect((await play(stranger, id)).status).toBe(404);
    const part = await play(reader, id, "bytes=0-1");
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 0-1/${size}`);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(Uint8Array.of(0x1a, 0x45));
    expect((await (await play(reader, id, "bytes=-5")).arrayBuffer()).byteLength).toBe(5);
    expect((await play(reader, id, `bytes=${size}-`)).status).toBe(416);
    // Invalid, so it is ignored.
    expect((await play(reader, id, "bytes=5-1")).status).toBe(200);
    await sender.send("PUT", "/api/profile-like", { likedProfileId: reader.id, blocked: true });
    expect((await play(reader, id)).status).toBe(404);
    await sender.send("PUT", "/api/profile-like", { likedProfileId: reader.id, blocked: false });
    expect((await play(reader, id)).status).toBe(200);
  });

  it("is deleted when it is unsent, when both members deleted it, or when it was never sent", async () => {
    await deleteDue(ONCE_UNSENT_RETENTION_MS + 60_000);
    const before = await objects();
    const taken = await sent();
    await sender.send("DELETE", `/api/message/${taken.id}`);
    expect((await play(reader, voiceOf(taken))).status).toBe(404);
    const deleted = await sent();
    await reader.send("DELETE", `/api/message/${deleted.id}`);
    expect((await play(reader, voiceOf(deleted))).status).toBe(404);
    expect((await play(sender, voiceOf(deleted))).status).toBe(200);
    await deleteDue();
    expect(await objects()).toBe(before + 1);
    await sender.send("DELETE", `/api/message/${deleted.id}?forMe=true`);
    await stored();
    await deleteDue(ONCE_UNSENT_RETENTION_MS + 60_000);
    expect(await objects()).toBe(before);
  });

  it("opens once if its sender chooses that", async () => {
    const message = await sent({ once: true });
    expect(message.attachment).toMatchObject({ type: "once", kind: "voice", tsOpened: null });
    const row = await worker.env.DB.prepare("select id from voice where message_id = ?")
      .bind(message.id)
      .first<{ id: number }>();
    for (const member of [sender, reader]) expect((await play(member, row?.id ?? 0)).status).toBe(404);
    const open = (opening: string) => reader.send("POST", `/api/message/${message.id}/open`, { opening });
    const answer = await open("a-word-of-this-device");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/webm"]);
    expect((await answer.arrayBuffer()).byteLength).toBe(webmRecording().length);
    expect((await open("another-word-of-it-")).status).toBe(404);
    const before = await objects();
    await reader.send("PUT", `/api/message/${message.id}/close`, {});
    expect(await objects()).toBe(before - 1);
    const unopened = await sent({ once: true });
    await sender.send("DELETE", `/api/message/${unopened.id}`);
    await deleteDueOnceViews(worker.env, openDatabase(worker.env.DB), Date.now());
    expect(await objects()).toBe(before - 1);
  });

  it("is evidence for staff when it is reported, is in its sender's export, and is deleted with the account", async () => {
    const message = await sent();
    const report = { subjectProfileId: sender.id, category: "behaviour", source: "message", sourceId: message.id };
    expect((await reader.send("POST", "/api/report", report)).status).toBe(201);
    const kept = await worker.env.DB.prepare("select id from evidence where kind = 'message' and source_id = ?")
      .bind(message.id)
      .first<{ id: number }>();
    const played = await stranger.fetch(`/api/evidence/${kept?.id}`);
    expect([played.status, played.headers.get("content-type")]).toEqual([200, "audio/webm"]);
    expect((await reader.fetch(`/api/evidence/${kept?.id}`)).status).toBe(404);

    const archive = await sender.send("POST", "/api/account/export");
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    expect(files[`voices/${voiceOf(message)}.webm`]?.length).toBe(webmRecording().length);
    expect(JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array())).voices.at(-1)).toMatchObject({
      durationMs: 3000,
    });

    await worker.env.DB.prepare("update profile set status = 'deleted' where id = ?").bind(sender.id).run();
    await worker.env.DB.prepare("update account set ts_deleted = 1 where id = ?").bind(sender.id).run();
    await purgeDeletedAccounts(worker.env, openDatabase(worker.env.DB), Date.now(), 10);
    expect(await objects()).toBe(0);
  });
});
