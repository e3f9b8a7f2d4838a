import { CLOSING_NOTICE_MS, parseClosingDay } from "@lambda/contract/closing";
import { DAY_MS } from "@lambda/contract/limits";

/** What the command's word, a day or `off`, does to the day announced so far. Throws if that day has come, or the new one is too near. */
export function planClosing(word: string, current: string, now: number) {
  if (now >= (parseClosingDay(current) ?? Number.POSITIVE_INFINITY))
    throw new Error(`The site closed on ${current}, and nothing can be called off.`);
  if (word === "off")
    return {
      value: "",
      says: "With this deployment the banner goes, anybody can join again, and the public log and a mail to each member say that the site stays.",
    };
  const time = /^\d{4}-\d\d-\d\d$/.test(word) ? (parseClosingDay(word) ?? Number.NaN) : Number.NaN;
  const first = new Date(now + CLOSING_NOTICE_MS + DAY_MS).toISOString().slice(0, 10);
  if (!(time >= Date.parse(first)))
    throw new Error(`"${word}" cannot be the day. Members have 30 days: ${first} is the first possible one.`);
  return {
    value: word,
    says: `From this deployment on every page and a mail to each member say that the site closes on ${word}, and nobody new can join.`,
  };
}
