import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Alert } from "@lambda/contract/site-health";
import { expect, it } from "vitest";
import { ROOT } from "./site.ts";

const TEXT = readFileSync(join(ROOT, "docs/OPERATIONS.md"), "utf8");
const headings = [...TEXT.matchAll(/^#{2,3} (.+)$/gm)].map(([, title]) => title!);
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");

it("has one runbook for each alert", () => {
  const named = headings.filter((title) => title.startsWith("Alert: ")).map((title) => title.slice("Alert: ".length));
  expect(named.toSorted()).toEqual([...Alert.options].toSorted());
});

it("has the runbooks that an operator on call needs", () => {
  for (const title of [
    "First day",
    "What has to be paid",
    "Deploying",
    "Going back",
    "Rehearsal",
    "Changing the schema",
    "Backup and restore",
    "A leak",
    "A lost key",
    "A court order",
    "A request by post",
    "Closing down",
  ])
    expect(headings).toContain(title);
});

it("links to existing sections", () => {
  const anchors = new Set(headings.map(anchorOf));
  const links = [...TEXT.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
});

it("names existing tests", () => {
  const named = [...TEXT.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file]) => file!);
  expect(named.length).toBeGreaterThan(0);
  const testExists = (file: string) => [file, `apps/worker/src/${file}`].some((path) => existsSync(join(ROOT, path)));
  expect(named.filter((file) => !testExists(file))).toEqual([]);
});

it("shows only commands of package.json and SQL that runs on the schema", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const commands = new Set([...TEXT.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name!));
  expect([...commands].filter((name) => !(name in scripts))).toEqual([]);
  const database = new DatabaseSync(":memory:");
  database.exec(readFileSync(join(ROOT, "schema.sql"), "utf8"));
  const blocks = [...TEXT.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql!);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) database.exec(block);
  database.close();
});
