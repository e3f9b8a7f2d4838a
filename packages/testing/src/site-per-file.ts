import { afterAll, afterEach, beforeEach } from "vitest";
import { closePages, closeSite, markPages } from "./browser.ts";

/** Setup of every browser test file: closes a test's pages after it, and the site after the file. */
beforeEach(markPages);
afterEach(closePages);
afterAll(closeSite);
