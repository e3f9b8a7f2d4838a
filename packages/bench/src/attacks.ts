/**
 * Locates members by every attack that any account can carry out, and by several accounts of theirs. Control builds must fail. The command fails if a limit is missed.
 */
import { printGate, printLine, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { linkAccounts, linkedMax, locateByAccounts } from "./privacy/accounts.ts";
import { bestOfScores, holds, LIMITS, limitsForSample, toText } from "./privacy/score.ts";
import { CONTROLS, PRODUCT } from "./privacy/simulated-town.ts";
import { runAttacks } from "./privacy/suite.ts";

const ACCOUNTS = [1, 2, 3, 5, 20];
const LINK_PAIRS = 200;
const LINK_ROUNDS = 10;

export async function run({ members = 10_000, queries, only }: BenchOptions): Promise<void> {
  console.log(
    `each: within 50 m, within 100 m, median; limits ${toText(LIMITS)}; the plain mean of markers always guesses too`,
  );
  if (!only || only === "accounts") await printAccounts(Math.min(queries ?? members, 3000));
  if (only === "accounts") return;
  for (const build of [PRODUCT, ...CONTROLS]) {
    // A few victims suffice to show that a control build leaks positions.
    const victims = queries ?? (build === PRODUCT ? members : Math.min(members, 300));
    console.log(`\n${build.name}: ${members} members, ${victims} victims of each attack`);
    const scores = await runAttacks(build, { members, victims, only: only?.split(",") }, (score) =>
      printLine(
        `  ${score.attack}`,
        `${toText(score)}, requests <= ${score.requestsMax}, ${Math.round(score.seconds)} s`,
      ),
    );
    const best = bestOfScores(scores);
    if (build === PRODUCT) printGate("  best of all", holds(best), toText(best));
    // A control only has to fail the whole suite, not each single attack.
    else if (!only) printGate("  best of all", !holds(best), `${toText(best)}: must fail`);
  }
}

async function printAccounts(members: number): Promise<void> {
  console.log(`\nseveral accounts of one member at home: ${members} members`);
  for (const mailboxes of ["one mailbox", "other mailboxes"] as const) {
    for (const [count, found] of await locateByAccounts(mailboxes, { members, accounts: ACCOUNTS })) {
      const label = `  ${count} ${count === 1 ? "account" : "accounts"}, ${mailboxes}`;
      // Accounts that nothing connects cannot be prevented from revealing more.
      if (mailboxes === "one mailbox") printGate(label, holds(found, limitsForSample(members)), toText(found));
      else printLine(label, toText(found));
    }
  }
  const most = linkedMax(LINK_PAIRS);
  for (const sharesShown of [false, true]) {
    const linked = await linkAccounts({ rounds: LINK_ROUNDS, pairs: LINK_PAIRS, sharesShown });
    const text = `${round(linked * 100)} % of ${LINK_ROUNDS} x ${LINK_PAIRS} pairs by five markers each, limit ${round(most * 100)} %`;
    if (sharesShown) printGate("  linked by a lattice of the mailbox", linked > 0.9, `${text}: must fail`);
    else printGate("  linked by their lattices", linked <= most, text);
  }
}
