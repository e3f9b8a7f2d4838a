import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ALL_BRANDS_MASK } from "@lambda/brands";
import { openSite, type TestSite } from "@lambda/testing/browser";
import { insertMember } from "@lambda/testing/members";
import { quickHash } from "@lambda/testing/password";
import { ROOT } from "@lambda/testing/site";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";

let site: TestSite;
/** The demo member, whose id is 1 on a seeded site. */
let other: number;
const folder = mkdtempSync(join(tmpdir(), "readme-"));

beforeAll(async () => {
  site = await openSite();
  const member = await insertMember(site.run, {
    email: "member@example.test",
    name: "Daniel",
    passwordHash: quickHash("demo-password"),
    birthdate: "1988-03-01",
    sharedOn: ALL_BRANDS_MASK,
  });
  other = member.id;
});
afterAll(() => rmSync(folder, { recursive: true }));

it("the REST example in the README works as printed", async () => {
  const readme = readFileSync(`${ROOT}README.md`, "utf8");
  const section = readme.split("## The main path through REST")[1]?.split("\n## ")[0] ?? "";
  const script = section
    .split("\n")
    .filter((line) => line.startsWith("    "))
    .map((line) => line.slice(4))
    .join("\n")
    .replace("http://localhost:8787", `http://localhost:${site.port}`)
    .replace("sleep 2", "until curl -sS $SITE/dev/mail.json | grep -q token=; do sleep 0.2; done")
    .replace(/(ProfileId":|most-recent-with\/)1\b/g, `$1${other}`);
  await sharp({ create: { width: 800, height: 1000, channels: 3, background: "#844" } })
    .jpeg()
    .toFile(join(folder, "me.jpg"));
  writeFileSync(join(folder, "example.sh"), script);
  const { stdout: printed } = await promisify(execFile)("bash", ["-e", "example.sh"], { cwd: folder });

  expect(printed).not.toContain('"error"');
  const output = printed.trim();
  expect(output).toContain('"profilename":"Newcomer"');
  expect(output).toMatch(/"bodyText":"Good evening".*$/);
  const [stored] = await site.sql<{ n: number }>(
    "select count(*) n from message m join account a on a.id = m.sender_id where a.email = 'new@example.test' and m.recipient_id = ?",
    other,
  );
  expect(stored?.n).toBe(1);
});
