import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { Cron } from "croner";

/**
 * Triggers the cron expressions of wrangler.toml on a local site, because `wrangler dev` does not. Hourly and more frequent ones also run
 * once at the start.
 */
export function runCronLocally(base: string): void {
  const { crons } = readWranglerConfig().triggers;
  const run = async (cron: string) => {
    try {
      const response = await fetch(`${base}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`);
      if (!response.ok) throw new Error(await response.text());
    } catch (error) {
      console.error(`The cron job ${cron} failed: ${error}`);
    }
  };
  for (const cron of crons) new Cron(cron, { timezone: "UTC", protect: true }, () => run(cron));
  void (async () => {
    for (const cron of crons.filter(isHourly)) await run(cron);
  })();
}

/** Whether it runs at least once an hour. */
function isHourly(cron: string): boolean {
  const [first, second] = new Cron(cron, { timezone: "UTC" }).nextRuns(2);
  return first !== undefined && second !== undefined && second.getTime() - first.getTime() <= 3_600_000;
}
