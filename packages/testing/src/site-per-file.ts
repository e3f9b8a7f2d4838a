import { afterAll } from "vitest";
import { closeSite } from "./browser.ts";

/** Set up for every browser test file: whatever site it opened ends with it. */
afterAll(closeSite);
