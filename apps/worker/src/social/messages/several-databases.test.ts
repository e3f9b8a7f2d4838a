/** The tests of chat once more, with messages in three databases beside the main one. */
import { useMessageDatabases } from "@lambda/testing/worker";
import { afterAll, beforeAll, describe } from "vitest";

beforeAll(() => useMessageDatabases(3));
afterAll(() => useMessageDatabases(0));

describe("first-contact", () => import("./first-contact.test.ts").then());
describe("messages", () => import("./messages.test.ts").then());
describe("once", () => import("./once.test.ts").then());
describe("openings", () => import("./openings.test.ts").then());
describe("remove", () => import("./remove.test.ts").then());
describe("sockets", () => import("./sockets.test.ts").then());
describe("unasked-pictures", () => import("./unasked-pictures.test.ts").then());
describe("voices", () => import("../voices/voices.test.ts").then());
describe("exposure", () => import("../../community/exposure/exposure.test.ts").then());
describe("deletion", () => import("../../data-rights/deletion/deletion.test.ts").then());
describe("open-cases", () => import("../../data-rights/deletion/open-cases.test.ts").then());
describe("export", () => import("../../data-rights/export/export.test.ts").then());
describe("evidence", () => import("../../moderation/evidence/evidence.test.ts").then());
