import { CANDIDATES_CHECKED_MAX } from "@lambda/worker/draw-rules";
import { hashPassword } from "@lambda/worker/passwords";
import { expect, it } from "vitest";
import { listResidents } from "./residents.ts";

it("hashes the demo's passwords without the worker's build", async () => {
  expect(await hashPassword("demo-password")).toMatch(/^scrypt\$/);
});

it("every jury of the demo considers all its residents, as only so each includes the demo member", () => {
  expect(listResidents().length).toBeLessThanOrEqual(CANDIDATES_CHECKED_MAX);
});
