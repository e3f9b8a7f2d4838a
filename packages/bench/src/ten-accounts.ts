/** What ten new accounts take from anybody: runs the attacks of the test suite, and prints those that succeed. */
import { ROOT } from "@lambda/testing/site";
import { pathOf } from "./breaks/break.ts";
import { type BenchOptions, printGoal, printLine } from "./figures.ts";
import { runTest } from "./run-test.ts";

/** What is attacked, the test file and parts of the tests' names. */
export const ATTACKS: readonly (readonly [what: string, test: string, names: readonly string[]])[] = [
  [
    "declines",
    "messaging/messages/unsolicited-pictures.test.ts",
    ["takes nothing from its sender when accounts made for it"],
  ],
  [
    "notices",
    "moderation/notices/notice.test.ts",
    [
      "by address alone hides nothing",
      "hides three pictures of one member",
      "hides what its sender attaches although",
      "from one network take more and more work",
      "in somebody's name never close the door to their mailbox",
    ],
  ],
  [
    "hashes",
    "moderation/known-pictures/forged-hash.test.ts",
    ["removes nothing but the attacker's picture", "censors none"],
  ],
  ["votes", "games/vote-manipulation.test.ts", ["cannot mark a picture while they are new"]],
  ["juries", "moderation/jury/packed-jury.test.ts", ["cannot be created by disliking everyone but one's own accounts"]],
  [
    "one address",
    "accounts/login-link.test.ts",
    ["all get in: 300 in an hour", "whatever strangers of their network or of the site ask for"],
  ],
  ["first pictures", "platform/rate-limits/image-work.test.ts", ["keeps the first uploads of newcomers"]],
  ["mailboxes", "accounts/login-digits.test.ts", ["cannot be used up by a stranger's wrong tries"]],
  ["links", "accounts/login-link.test.ts", ["links requested by strangers"]],
  ["passwords", "accounts/accounts.test.ts", ["stays available to a device that logged in before while others guess"]],
  ["alarms", "messaging/meets/meets.test.ts", ["an attacker with the link"]],
  ["a night's sleep", "messaging/albums/albums.test.ts", ["opened and closed all night tells the other twice a day"]],
  ["trips", "places/travel/trips.test.ts", ["cannot be searched for"]],
];

export async function run({ only = "" }: BenchOptions): Promise<void> {
  let succeeded = 0;
  for (const [what, test, names] of ATTACKS.filter(([each]) => each.includes(only))) {
    const outcome = await runTest(ROOT, pathOf(test), names.join("|"));
    if (outcome !== "passes") succeeded += 1;
    printLine(what, { passes: "nothing taken", fails: "TAKEN", unclear: "DID NOT RUN" }[outcome]);
  }
  printGoal("kinds of things that ten new accounts take", succeeded, 0);
  if (succeeded > 0) process.exitCode = 1;
}
