import { defineConfig } from "vitest/config";
import worker from "./vitest.config.ts";

/** Runs the tests that read or write messages again, with three message databases in addition to the main one. */
const FILES = [
  "members/visibility/out-of-sight",
  "social/messages/{first-contact,messages,once-view,openings,remove,sockets,unsolicited-pictures}",
  "social/voices/voices",
  "community/exposure/exposure",
  "data-rights/deletion/{deletion,open-cases}",
  "data-rights/export/export",
  "moderation/evidence/evidence",
];

export default defineConfig({
  test: {
    ...worker.test,
    name: "databases",
    include: FILES.map((file) => `src/${file}.test.ts`),
    env: { MESSAGE_DATABASES: "3" },
  },
});
