import { defineConfig } from "vitest/config";
import { MESSAGE_TESTS } from "./message-tests.ts";
import worker from "./vitest.config.ts";

/** Runs the tests that read or write messages with three message databases in addition to the main one. */
export default defineConfig({
  test: { ...worker.test, name: "databases", include: MESSAGE_TESTS, exclude: [], env: { MESSAGE_DATABASES: "3" } },
});
