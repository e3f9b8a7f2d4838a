import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL(".", import.meta.url).href);
/** Where a function or a constant at the top level of a file begins. */
const PARTS = /\n(?=(?:export )?(?:async )?function |(?:export )?const )/;
const LIMIT = /\.limit\(|\blimit \$\{/;
/** What may drop rows that took places below the limit. */
const DROPS = /\.(?:filter|flatMap|find|some)\(/;

/** Functions that drop rows in code after they limited them in a query, each with why no wanted row loses its place. */
const LOOKED_AT: Readonly<Record<string, string>> = {
  "games/person-check/panel.ts drawFromCandidates": "a random sample, whose share is reckoned up",
  "games/person-check/play.ts listAlbums": "a random sample: any few albums will do",
  "games/review.ts listReviewRows": "reads on until the page is full",
  "games/vote-collusion.ts detectVoteCollusion": "makes two of each, drops none",
  "messaging/messages/queries.ts listConversations": "picks ids for the next read, drops none",
  "moderation/audit/log.ts withAudit": "the limit is of another query",
  "moderation/ban-evasion/open-cases.ts matchPictures": "looks for each row's match, drops none",
  "moderation/evidence/freeze.ts deleteSettledEvidence": "leaves out missing keys of rows that it deletes all",
  "moderation/jury/create-jury.ts listCandidates": "the limit only ends a count",
  "moderation/jury/create-jury.ts readSample": "a random sample; if too few can serve, a larger one is read",
  "moderation/jury/inbox.ts readCase": "asks whether any is a picture, drops none",
  "moderation/jury/inbox.ts searchPrecedents": "searches the latest 500, as its screen says",
  "moderation/notices/figures.ts readNoticeFigures": "the limit is above what half a year can have",
  "moderation/staff/holds/holds.ts listHolds": "looks up what belongs to each row, drops none",
  "moderation/staff/log.ts listAudit": "leaves out empty details of a row, drops no row",
  "pictures/known/stored-looks.ts PAGE_ROWS": "walks through all pages",
  "places/positions/aggregates.ts listSectorCounts": "the limit is of expired positions alone",
  "places/positions/queries.ts deleteExpiredPositions": "a job's chunk; what it leaves comes next",
  "places/positions/queries.ts publishPending": "a job's chunk; what it leaves comes next",
  "places/positions/renew-lattices.ts renewLattices": "a job's chunk, which renews every row's lattices",
  "places/positions/statements/shown.ts listShown": "the latest few members who showed themselves, by decision",
  "platform/mail/send-mail.ts sendClaimed": "looks up each mail's brand, drops none",
  "platform/rate-limits/flood.ts isFlood": "a limiter's method, no query",
};

function findLimitsBelowFilters(file: string, source: string): string[] {
  return source.split(PARTS).flatMap((part) => {
    const limit = part.search(LIMIT);
    const name = /(?:function|const) (\w+)/.exec(part)?.[1];
    return limit >= 0 && DROPS.test(part.slice(limit)) ? [`${file} ${name}`] : [];
  });
}

it("no code filters what a query has limited, unless somebody has looked at it", () => {
  const files = globSync("**/*.ts", { cwd: SOURCE }).filter((file) => !file.includes(".test."));
  const found = files.flatMap((file) => findLimitsBelowFilters(file, readFileSync(SOURCE + file, "utf8")));
  // What nothing needs any more would hide a new case.
  expect(found.toSorted()).toEqual(Object.keys(LOOKED_AT).toSorted());
});

it("finds a filter behind a limit, and none before it", () => {
  const limited = "const rows = await query.limit(20).execute();";
  const bad = `export async function listAll() {\n  ${limited}\n  return rows.filter(isShown);\n}`;
  const good = `export async function listAll() {\n  const ids = all.filter(isShown);\n  ${limited}\n  return rows;\n}`;
  expect(findLimitsBelowFilters("a.ts", `import x from "x";\n${bad}\n${good}`)).toEqual(["a.ts listAll"]);
});
