import { ExportedData } from "@lambda/contract/exported";
import { exportedData, type ZipEntry, zip } from "@lambda/testing/export-samples";
import { describe, expect, it } from "vitest";
import { readExport } from "./read-export.ts";

const open = (entries: readonly ZipEntry[], options?: Parameters<typeof zip>[1]) =>
  zip(entries, options).then(readExport);
const data = (changes = {}) => ({ name: "data.json", text: JSON.stringify({ ...exportedData(), ...changes }) });
const picture = { name: "pictures/7.webp", text: "picture", store: true };

describe("an export", () => {
  it("is read with the pictures of both albums in the member's order", async () => {
    const { pictures, data: read } = await open([
      data(),
      { name: "index.html", text: "<!doctype html>" },
      picture,
      { name: "pictures/8.webp", text: "first", store: true },
      { name: "pictures/9.webp", text: "of a message", store: true },
      { name: "voices/introduction.m4a", text: "sound", store: true },
    ]);
    expect(read.account[0].preferences.phrases).toEqual(["Hi there"]);
    expect(pictures.map(({ name, audience, nsfw }) => [name, audience, nsfw])).toEqual([
      ["pictures/8.webp", "public", false],
      ["pictures/7.webp", "private", true],
    ]);
    expect(await (await pictures[0]?.read())?.text()).toBe("first");
  });

  it("brings the voice introduction only if both its row and its sound are there", async () => {
    const row = { voiceIntroduction: [{ audience: "private", durationMs: 900 }] };
    const sound = { name: "voices/introduction.webm", text: "sound", store: true };
    expect((await open([data(row), sound])).voice).toMatchObject({
      name: sound.name,
      audience: "private",
      durationMs: 900,
    });
    expect((await open([data(row)])).voice).toBeUndefined();
    expect((await open([data(), sound])).voice).toBeUndefined();
  });

  it("is read however many pictures of messages it holds, none of which is opened", async () => {
    const names = Array.from({ length: 10_000 }, (_, id) => `pictures/${id + 100}.webp`);
    const { pictures } = await open([data(), picture, ...names.map((name) => ({ ...picture, name }))]);
    expect(pictures.map(({ name }) => name)).toEqual([picture.name]);
  });

  it("counts a choice of a later version as none, and ignores unknown sections", () => {
    const account = [{ email: "a@example.test", preferences: JSON.stringify({ coverPictures: "sometimes" }) }];
    const read = ExportedData.parse({ ...exportedData(), account, later: [1] });
    expect(read.account[0].preferences).toMatchObject({ coverPictures: "unknown", phrases: [], notificationsOff: [] });
  });
});

describe("a hostile archive is refused, and the entry named:", () => {
  const many = "0".repeat(2_000_000);
  it.each<[string, readonly ZipEntry[], Parameters<typeof zip>[1], object]>([
    [
      "a path upwards",
      [data(), { name: "../data.json", text: "{}" }],
      {},
      { reason: "foreign", entry: "../data.json" },
    ],
    ["an absolute path", [{ name: "/etc/passwd", text: "" }], {}, { reason: "foreign", entry: "/etc/passwd" }],
    ["a folder", [data(), { name: "pictures/", text: "" }], {}, { reason: "foreign", entry: "pictures/" }],
    ["a program", [data(), { name: "run.exe", text: "" }], {}, { reason: "foreign", entry: "run.exe" }],
    [
      "a symbolic link",
      [data(), { ...picture, attributes: 0o120777 * 65_536 }],
      {},
      { reason: "foreign", entry: picture.name },
    ],
    ["an encrypted entry", [data(), { ...picture, flags: 1 }], {}, { reason: "foreign", entry: picture.name }],
    ["an unknown compression", [data(), { ...picture, method: 14 }], {}, { reason: "foreign", entry: picture.name }],
    ["the same entry twice", [data(), picture, picture], {}, { reason: "twice", entry: picture.name }],
    ["a large picture", [data(), { ...picture, bytes: 9_000_000 }], {}, { reason: "large", entry: picture.name }],
    ["a bomb that says what it is", [{ ...data(), bytes: 4_000_000_000 }], {}, { reason: "large", entry: "data.json" }],
    ["a bomb that lies", [{ name: "data.json", text: many, bytes: 100 }], {}, { reason: "large", entry: "data.json" }],
    ["too few bytes", [{ ...data(), bytes: 90_000_000 }], {}, { reason: "damaged", entry: "data.json" }],
    ["two names", [{ ...data(), localName: "data.exe!" }], {}, { reason: "damaged", entry: "data.json" }],
    [
      "entries that share bytes",
      [
        { ...data(), packedBytes: 400 },
        { ...picture, packedBytes: 1_000_000, bytes: 1_000_000 },
      ],
      {},
      { reason: "damaged", entry: picture.name },
    ],
    ["bytes beyond its end", [{ ...data(), offset: 4_000_000 }], {}, { reason: "damaged", entry: "data.json" }],
    ["no data", [picture], {}, { reason: "missing", entry: "data.json" }],
    ["broken JSON", [{ name: "data.json", text: "{" }], {}, { reason: "content", entry: "data.json" }],
    ["JSON of another shape", [{ name: "data.json", text: "[]" }], {}, { reason: "content", entry: "data.json" }],
    ["another version", [data({ format: 2 })], {}, { reason: "version", entry: "data.json: format" }],
    ["no version", [data({ format: undefined })], {}, { reason: "version", entry: "data.json: format" }],
    [
      "two profiles",
      [data({ profile: [...exportedData().profile, ...exportedData().profile] })],
      {},
      { reason: "content", entry: "data.json: profile" },
    ],
    [
      "a long text",
      [data({ profile: [{ ...exportedData().profile[0], description: "x".repeat(5000) }] })],
      {},
      { reason: "content", entry: "data.json: profile.0.description" },
    ],
    [
      "preferences that are not JSON",
      [data({ account: [{ email: "a@example.test", preferences: "{" }] })],
      {},
      { reason: "content", entry: "data.json: account.0.preferences" },
    ],
    [
      "a picture twice",
      [data({ pictures: [...exportedData().pictures, ...exportedData().pictures] })],
      {},
      { entry: "data.json: pictures, 7" },
    ],
    [
      "a trip to nowhere",
      [data({ trips: [{ name: "x", key: 2 ** 53, dayFrom: "2026-12-01", dayTo: "2026-12-02" }] })],
      {},
      { reason: "content", entry: "data.json: trips.0.key" },
    ],
    [
      "an hour of voice",
      [data({ voiceIntroduction: [{ audience: "public", durationMs: 3_600_000 }] })],
      {},
      { reason: "content", entry: "data.json: voiceIntroduction.0.durationMs" },
    ],
    [
      "a recording in place of the introduction",
      [data(), { name: "voices/introduction.exe", text: "" }],
      {},
      { reason: "foreign", entry: "voices/introduction.exe" },
    ],
    [
      "a name with a direction mark",
      [data(), { name: "pictures/\u202e7.webp", text: "" }],
      {},
      { reason: "foreign", entry: "pictures/\u202e7.webp" },
    ],
    [
      "an endless number of pictures",
      [
        data({
          pictures: Array.from({ length: 100_001 }, (_, id) => ({
            id: id + 1,
            audience: "public",
            nsfwOwner: 0,
            harmlessOwner: 0,
          })),
        }),
      ],
      {},
      { reason: "content", entry: "data.json: pictures" },
    ],
    [
      "more pictures than a profile holds",
      [
        data({ pictures: Array.from({ length: 51 }, (_, id) => ({ ...exportedData().pictures[1], id: id + 1 })) }),
        ...Array.from({ length: 51 }, (_, id) => ({ name: `pictures/${id + 1}.webp`, text: "x", store: true })),
      ],
      {},
      { reason: "large", entry: "data.json: pictures" },
    ],
    ["notes of another shape", [data({ notes: "x" })], {}, { reason: "content", entry: "data.json: notes" }],
    [
      "deeply nested JSON",
      [{ name: "data.json", text: "[".repeat(500_000) }],
      {},
      { reason: "content", entry: "data.json" },
    ],
    ["a cut end", [data()], { cut: 5 }, { reason: "damaged" }],
    ["a lying directory", [data()], { count: 3 }, { reason: "damaged" }],
  ])("%s", async (_, entries, options, problem) => {
    await expect(open(entries, options)).rejects.toMatchObject({ name: "ArchiveProblem", ...problem });
  });

  it("files that are no archive", async () => {
    for (const bytes of ["", "PK", "a picture", "\0".repeat(200_000)]) {
      await expect(readExport(new Blob([bytes]))).rejects.toMatchObject({ reason: "damaged" });
    }
  });

  it("any single changed byte of the directory is refused or harmless", async () => {
    const whole = new Uint8Array(await (await zip([data(), picture])).arrayBuffer());
    for (let at = whole.length - 200; at < whole.length; at++) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const changed = whole.slice();
        changed[at] = (changed[at] ?? 0) ^ flip;
        const result = await readExport(new Blob([changed])).catch((error: Error) => error.name);
        expect(typeof result === "string" ? result : "opened").toMatch(/^(ArchiveProblem|opened)$/);
      }
    }
  });
});
