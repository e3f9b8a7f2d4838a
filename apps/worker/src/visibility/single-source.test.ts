import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../", import.meta.url).href);
const sources = new Map(
  (readdirSync(SOURCE, { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => [file, readFileSync(SOURCE + file, "utf8")]),
);
const filesWith = (pattern: RegExp, folder = "") =>
  [...sources].filter(([file, text]) => file.startsWith(folder) && pattern.test(text)).map(([file]) => file);

/** The rule itself, and the files that write and list blocks. */
const ALLOWED = /^visibility\/(visibility\.ts|statements\/|blocks\/)/;
/** Conditions on `block`, `listed_on`, `few_on` and the expiry of a presence row `p`, in SQL and in kysely, in any case. */
const RULE =
  /(from|join|into|update|table)\s+block\b|["']block(\s+as\b[^"']*)?["']|(listed|few)_on\W{0,4}\s*&|listed_on`\)\}\s*&|\bp\.ts_effective_until["'`,\s]*>/i;

it("keeps the visibility rule in one folder: no other file queries blocks, where a member is listed, or whether they are present", () => {
  const matching = filesWith(RULE);
  expect(matching).toContain("visibility/visibility.ts");
  expect(matching.filter((file) => !ALLOWED.test(file))).toEqual([]);
});

/**
 * Conditions on a picture's or recording's audience and state, on what opened it to somebody, on messages, and on the brands that share a
 * profile, in SQL and in kysely.
 */
const SIGHT =
  /\baudience["'`}\s]*(=(?!=)|<>|in\s*\(|,\s*["'](=|<>|in)["'])|hidden_by_staff["'`}\s]*(=(?!=)|<>|in\s*\(|,\s*["'])|(shared|discreet)_on["'`}\s)]*&|\b(album_grant|message_picture|once_view)\b|(from|join)\s+message\b|["']message(\s+as\b[^"']*)["']|(selectFrom|[jJ]oin)\(\s*["']message["']/;
/** Who had contact with a side is no question of sight. */
const NO_SIGHT = ["moderation/jury/create-jury.ts"];

it("lets no code of staff, visitors and cases say itself who may see a picture, recording or message", () => {
  expect(filesWith(SIGHT)).toContain("pictures/access.ts");
  expect(filesWith(SIGHT, "moderation/").sort()).toEqual(NO_SIGHT);
});

/** Code of staff, visitors and cases that serves or copies pictures, recordings or profiles, and what decides whether it may. */
const DOORS: Record<string, readonly string[]> = {
  // Bytes for staff and jurors.
  "moderation/routes.ts": ["findJurorEvidence(ctx, ", "caseInScope(ctx)"],
  "moderation/notices/routes.ts": ["noticeInScope(ctx)", "publicInScope(ctx)"],
  "moderation/staff/holds/opening.ts": ["getOpenHold(ctx, "],
  "moderation/staff/holds/tip.ts": ["getMinorCase(ctx, "],
  "moderation/staff/person-checks.ts": ["judgedHere(ctx)", "isCompared()"],
  // Copies of what a reporter may see.
  "moderation/evidence/freeze.ts": [
    "findVisiblePicture(ctx, ",
    "listReportable(ctx, ",
    "listOpenOncePictures(ctx, ",
    "findVisibleIntroduction(ctx, ",
  ],
  "moderation/report/file-report.ts": ["findDesk(ctx, "],
  "moderation/report/file-check-report.ts": ["findPackItem(ctx, ", "isCompared()"],
  // Copies of what staff choose.
  "moderation/staff/act.ts": ["publicInScope(ctx)", "listed === 1"],
  "moderation/notices/forward.ts": ["getOpenNotice(ctx, ", "member.listed === 1"],
  // Copies of what a case already has, of what players rated in public, and of what looks like a known picture or that of a banned member.
  "moderation/hold/start.ts": ["readHoldRecord(db, "],
  "moderation/report/from-games.ts": ["Finding"],
  "moderation/known-pictures/open-cases.ts": ["KnownPictureMatchRow"],
  "moderation/ban-evasion/open-cases.ts": ["BanMatchRow"],
};

it("knows every door through which staff, visitors and cases get pictures, recordings and profiles, and what decides there", () => {
  const doors = filesWith(/\b(getVariant|freezePicture|freezeProfile|PICTURES\.get)\(/, "moderation/");
  expect(doors.sort()).toEqual(Object.keys(DOORS).sort());
  for (const [file, deciders] of Object.entries(DOORS)) {
    for (const decider of deciders) expect(sources.get(file), file).toContain(decider);
  }
});

it("lets only one function attach pictures to notices, which asks whether any member may see those that are named by address", () => {
  expect(filesWith(/insert(Into|From|If)\(([\w.]+,\s*)?"notice_picture"|insert into notice_picture/)).toEqual([
    "moderation/notices/attach.ts",
  ]);
  expect(sources.get("moderation/notices/attachable.ts")).toContain("brandsWhere(reachableByAddress)");
});
