import { hashPassword } from "@lambda/worker/passwords";
import { expect, it } from "vitest";

it("hashes the demo's passwords without the worker's build", async () => {
  expect(await hashPassword("demo-password")).toMatch(/^scrypt\$/);
});
