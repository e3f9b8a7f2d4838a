import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listProcedures } from "@lambda/testing/procedures";
import { expect, it } from "vitest";
import { appRouter } from "./router.ts";

const PAGE = fileURLToPath(import.meta.resolve("../../../docs/SECURITY.md"));

it("docs/SECURITY.md says of each call that changes something what it lets its author do to others", () => {
  const [, section = ""] =
    /\n## What one person's act changes for others\n([\s\S]*?)\n## /.exec(readFileSync(PAGE, "utf8")) ?? [];
  const listed = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...line.split("|")[1]!.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!));
  const changing = listProcedures(appRouter)
    .filter(({ type, meta }) => type === "mutation" && meta.access !== "admin")
    .map(({ name }) => name);
  expect(listed.toSorted()).toEqual(changing.toSorted());
});
