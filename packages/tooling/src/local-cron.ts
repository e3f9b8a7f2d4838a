import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { Cron } from "croner";

/**
 * Runs the schedule of a local site by the cron expressions of wrangler.toml, which `wrangler dev` itself never does: what
 * is due every hour once at the start too.
 */
export function runCronLocally(base: string): void {
  const { crons } = readWranglerConfig().triggers;
  const run = async (cron: string) => {
    try {
      const answer = await fetch(`${base}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`);
      if (!answer.ok) throw new Error(await answer.text());
    } catch (error) {
      console.error(`The schedule ${cron} did not run: ${error}`);
    }
  };
  for (const cron of crons) new Cron(cron, { timezone: "UTC", protect: true }, () => run(cron));
  void (async () => {
    for (const cron of crons.filter(isHourly)) await run(cron);
  })();
}

/** At least once an hour. */
function isHourly(cron: string): boolean {
  const [first, second] = new Cron(cron, { timezone: "UTC" }).nextRuns(2);
  return first !== undefined && second !== undefined && second.getTime() - first.getTime() <= 3_600_000;
}
