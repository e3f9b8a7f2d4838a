import { ExportedData } from "@lambda/contract/exported";
import { PHRASES_MAX, TRIPS_MAX } from "@lambda/contract/limits";
import { EMPTY_TEXTS } from "@lambda/contract/profile-texts";
import { exportedData } from "@lambda/testing/export-samples";
import { describe, expect, it } from "vitest";
import { type Present, planImport } from "./plan.ts";

const exported = ExportedData.parse(exportedData());

const NOTHING: Present = {
  profile: {
    id: 1,
    profilename: "",
    birthdate: null,
    age: null,
    ...EMPTY_TEXTS,
    characteristics: [],
    profilePicIds: [],
    profilePicIdsPrivate: [],
    voice: null,
    roles: [],
    tsUpdated: "2026-11-20T10:00:00.000Z",
  },
  health: {
    profileId: 1,
    hivStatus: null,
    prep: null,
    doxyPep: null,
    vaccines: [],
    lastTest: null,
    reminderMonths: 0,
    audiences: { hivStatus: "nobody", prep: "nobody", doxyPep: "nobody", vaccines: "nobody", lastTest: "nobody" },
    tsReminder: null,
  },
  chat: {
    firstContact: { matchesOnly: false, checkedOnly: false, ageMin: null, ageMax: null, distanceMaxMetres: null },
    coverPictures: "unknown",
    phrases: [],
    unwantedWords: [],
  },
  notificationsOff: [],
  discreet: false,
  trips: [],
  today: "2026-11-26",
};

describe("an import", () => {
  it("fills what is empty, and never says who sees it", () => {
    const plan = planImport(exported, NOTHING);
    expect(plan.profile.change).toEqual({
      profilename: "Marco",
      birthdate: "1990-04-05",
      height: "185 cm",
      weight: "80 kg",
      description: "Hello.",
      characteristics: ["hosting", "cruising"],
      was: { profilename: "", birthdate: null, height: "", weight: "", description: "" },
    });
    expect(plan.health.change).toEqual({
      hivStatus: "negative",
      prep: "daily",
      vaccines: ["mpox"],
      lastTest: "2026-10-01",
      reminderMonths: 3,
    });
    expect(plan.settings).toMatchObject({
      fills: ["coverPictures", "notifications", "discreet"],
      change: { coverPictures: "always" },
      notificationsOff: ["game"],
    });
    expect(plan.phrases.list).toEqual(["Hi there"]);
  });

  it("replaces nothing, and says what differs", () => {
    const present: Present = {
      ...NOTHING,
      profile: { ...NOTHING.profile, profilename: "Other", height: "185 cm", characteristics: ["bar"] },
      health: { ...NOTHING.health, hivStatus: "undetectable", reminderMonths: 12 },
      chat: { ...NOTHING.chat, coverPictures: "never", phrases: ["hi THERE"] },
      notificationsOff: ["game", "like"],
      discreet: true,
    };
    const plan = planImport(exported, present);
    expect(plan.profile.left).toEqual(["profilename", "characteristics"]);
    expect(Object.keys(plan.profile.change).sort()).toEqual(["birthdate", "description", "was", "weight"]);
    expect(plan.profile.change.was).toEqual({ birthdate: null, weight: "", description: "" });
    expect(plan.health.left).toEqual(["hivStatus", "reminderMonths"]);
    expect(plan.settings).toMatchObject({ fills: [], left: ["coverPictures"], notificationsOff: undefined });
    expect(plan.phrases).toEqual({ added: [], left: 0, list: ["hi THERE"] });
  });

  it("adds trips that are not over and not here, one under way from today, as far as there is room", () => {
    const trip = (name: string, dayFrom: string, dayTo: string) => ({ name, key: 7, dayFrom, dayTo });
    const trips = [
      trip("Over", "2026-11-01", "2026-11-25"),
      trip("Rome", "2026-11-20", "2026-11-28"),
      trip("Rome", "2026-11-20", "2026-11-28"),
      trip("Oslo", "2026-12-01", "2026-12-02"),
      trip("Lima", "2026-12-05", "2026-12-06"),
    ];
    const data = ExportedData.parse({ ...exportedData(), trips });
    const oslo = { id: 1, name: "Oslo", from: "2026-12-01", to: "2026-12-02", shown: null, country: null };
    const plan = planImport(data, { ...NOTHING, trips: [oslo] }).trips;
    expect(plan.added.map(({ name, from, to }) => [name, from, to])).toEqual([
      ["Rome", "2026-11-26", "2026-11-28"],
      ["Lima", "2026-12-05", "2026-12-06"],
    ]);
    expect(plan.added[0]).toMatchObject({ lat: expect.any(Number), lon: expect.any(Number) });
    const full = Array.from({ length: TRIPS_MAX - 1 }, (_, id) => ({ ...oslo, id, to: `2027-01-0${id + 1}` }));
    expect(planImport(data, { ...NOTHING, trips: full }).trips).toMatchObject({ added: [{ name: "Rome" }], left: 2 });
    expect(() => ExportedData.parse({ ...exportedData(), trips: [{ ...trip("x", "2026-11-20", "soon") }] })).toThrow();
  });

  it("knows lines and trips that are here in whatever letters the file writes them", () => {
    const [here, written] = ["M\u00e1laga", " Ma\u0301laga\u0007"];
    const preferences = JSON.stringify({ phrases: [written], unwantedWords: [written] });
    const trips = [{ name: written, key: 7, dayFrom: "2026-12-01", dayTo: "2026-12-02" }];
    const data = ExportedData.parse({ ...exportedData(), account: [{ email: "a@example.test", preferences }], trips });
    const trip = { id: 1, name: here, from: "2026-12-01", to: "2026-12-02", shown: null, country: null };
    const chat = { ...NOTHING.chat, phrases: [here], unwantedWords: [here] };
    const plan = planImport(data, { ...NOTHING, chat, trips: [trip] });
    expect([plan.phrases.added, plan.words.added, plan.trips.added]).toEqual([[], [], []]);
  });

  it("adds phrases as far as there is room", () => {
    const phrases = Array.from({ length: PHRASES_MAX - 1 }, (_, index) => `phrase ${index}`);
    const preferences = JSON.stringify({ phrases: ["one", "two", "One "] });
    const data = ExportedData.parse({ ...exportedData(), account: [{ email: "a@example.test", preferences }] });
    const plan = planImport(data, { ...NOTHING, chat: { ...NOTHING.chat, phrases } });
    expect(plan.phrases).toMatchObject({ added: ["one"], left: 1 });
  });
});
