import { ExportedData } from "@lambda/contract/exported";
import { PHRASES_MAX } from "@lambda/contract/limits";
import { describe, expect, it } from "vitest";
import { exportedData } from "./export-samples.ts";
import { type Present, planImport } from "./plan.ts";

const exported = ExportedData.parse(exportedData());

const NOTHING: Present = {
  profile: {
    id: 1,
    profilename: "",
    birthdate: null,
    age: null,
    height: "",
    weight: "",
    description: "",
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

  it("adds phrases as far as there is room", () => {
    const phrases = Array.from({ length: PHRASES_MAX - 1 }, (_, index) => `phrase ${index}`);
    const preferences = JSON.stringify({ phrases: ["one", "two", "One "] });
    const data = ExportedData.parse({ ...exportedData(), account: [{ email: "a@example.test", preferences }] });
    const plan = planImport(data, { ...NOTHING, chat: { ...NOTHING.chat, phrases } });
    expect(plan.phrases).toMatchObject({ added: ["one"], left: 1 });
  });
});
