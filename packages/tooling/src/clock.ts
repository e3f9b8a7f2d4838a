import { readFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";

const LOOK_MS = 20_000;
const MINUTE_MS = 60_000;

/**
 * Runs the schedule of a local site by the cron expressions of wrangler.toml, which `wrangler dev` itself never does: what
 * is due every hour once at the start too.
 */
export function runByTheClock(base: string): void {
  const crons = readCrons();
  const run = async (cron: string) => {
    try {
      const answer = await fetch(`${base}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`);
      if (!answer.ok) throw new Error(await answer.text());
    } catch (error) {
      console.error(`The schedule ${cron} did not run: ${error}`);
    }
  };
  const tick = async (isDue: (cron: string) => boolean) => {
    for (const cron of crons.filter(isDue)) await run(cron);
  };
  void tick((cron) => cron.split(" ")[1] === "*");
  // Looked at more often than once a minute, so that no minute is left out.
  let last = Math.floor(Date.now() / MINUTE_MS);
  setInterval(() => {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute === last) return;
    last = minute;
    void tick((cron) => isDueAt(cron, new Date(minute * MINUTE_MS)));
  }, LOOK_MS);
}

function readCrons(): string[] {
  const line = /^crons = (\[.*\])$/m.exec(readFileSync(`${ROOT}wrangler.toml`, "utf8"));
  return JSON.parse(line?.[1] ?? "[]") as string[];
}

/** Minute and hour in UTC; the other fields of our expressions are stars. */
function isDueAt(cron: string, time: Date): boolean {
  const [minute, hour] = cron.split(" ");
  const fits = (field: string | undefined, value: number) => field === "*" || Number(field) === value;
  return fits(minute, time.getUTCMinutes()) && fits(hour, time.getUTCHours());
}
