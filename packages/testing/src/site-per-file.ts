import { afterAll, afterEach, beforeEach } from "vitest";
import { closePages, closeSite, markPages } from "./browser.ts";

/** Set up for every browser test file: pages that a test opened end with it, and whatever site the file opened with the file. */
beforeEach(markPages);
afterEach(closePages);
afterAll(closeSite);
