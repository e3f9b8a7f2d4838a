import { CLOSING_NOTICE_MS, parseClosingDay } from "@lambda/contract/closing";

/** What the worker cannot erase itself: nobody can list the objects of a class. */
const LEFT =
  "When the public log says site.erased, left are that log, holds until their time is over, and in Durable Objects counts without members, " +
  "and limits, sketches of openers and sealed plans, which erase themselves within 30 days. Deleting the worker erases all objects.";

/** The worker's variable after the command's word: a day, `off`, or undefined to change nothing. Throws for a day within the notice. */
export function planClosing(word: string | undefined, current: string, now: number): { value: string; says: string } {
  if (word === "off")
    return { value: "", says: "The banner goes with this deployment, and the public log says that the site stays." };
  if (word === undefined) {
    return { value: current, says: current === "" ? "The site stays." : `The site closes on ${current}. ${LEFT}` };
  }
  const time = parseClosingDay(word) ?? Number.NaN;
  const first = new Date(now + CLOSING_NOTICE_MS + 86_400_000).toISOString().slice(0, 10);
  if (!(time >= Date.parse(first))) throw new Error(`Members have 30 days: ${first} is the first possible day.`);
  return {
    value: word,
    says: `From this deployment on every page and a mail to each member say that the site closes on ${word}, and nobody new can join. ${LEFT}`,
  };
}
