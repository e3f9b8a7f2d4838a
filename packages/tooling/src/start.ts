import { BRANDS } from "@lambda/brands";
import { isPortFree, type Site, startSite } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { Cron } from "croner";
import { putBasemap } from "./basemap/put.ts";
import { buildWeb } from "./build-web.ts";
import { exitCodeOf } from "./exit-code.ts";
import { holdState } from "./hold-state.ts";
import { prepareDatabase } from "./local-database.ts";
import {
  DEMO_LOGINS,
  DEMO_PASSWORD,
  hasDemoLogins,
  isSeeded,
  lacksPictures,
  seedMembers,
  seedPictures,
} from "./seed/seed.ts";
import {
  askPatiently,
  killProcessGroup,
  WATCH_INTERVAL_MS,
  WATCH_SILENT_TRIES,
  WATCH_TRIES,
  watchSite,
} from "./watch-site.ts";

/** `npm start`: database, basemap, build, demo members on the first run, then the site until Ctrl-C. */
const port = Number(process.env.PORT ?? 8787);
const started = Date.now();
/** From the first moment on: whoever runs this process may be killed at any time, and then nobody could stop the site any more. */
let stop = (): void => process.exit(1);
process.on("disconnect", () => stop());
/** For a request that is lost while the site restarts. */
const PATIENCE_MS = 5 * 60_000;

// Checked before touching the database, because the site on that port may be using it.
if (!(await isPortFree(port))) {
  console.error(`Port ${port} is taken: set PORT, or stop what runs there.`);
  process.exit(1);
}
// Two sites on one state would lose each other's writes.
holdState();
console.log("Building the web application ...");
const build = buildWeb();
// Errors are reported where it is awaited below; the other steps run in parallel.
build.catch(() => undefined);
await prepareDatabase();
await putBasemap();
await build;
let runningSite: Site | undefined;
let stopping = false;
const site = await startSite({
  port,
  // If the site exits before it has started, startSite throws.
  onExit: (code) => {
    if (!runningSite) return;
    if (!stopping) console.error("The site exited by itself. Its last output:", runningSite.log());
    process.exit(exitCodeOf(code, stopping));
  },
});
runningSite = site;
// Shows the site's output from here on; that of its start is just noise.
for (const stream of [site.process.stdout, site.process.stderr]) stream?.pipe(process.stderr);
stop = () => {
  if (!stopping) void site.stop();
  stopping = true;
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
process.once("uncaughtException", async (error) => {
  console.error(error);
  await site.stop();
  process.exit(1);
});

const base = `http://localhost:${port}`;
watchSite({
  probe: () => fetch(`${base}/api/ping`, { signal: AbortSignal.timeout(WATCH_INTERVAL_MS) }),
  intervalMs: WATCH_INTERVAL_MS,
  silentTries: WATCH_SILENT_TRIES,
  tries: WATCH_TRIES,
  onSilent: () => console.error("The site has not responded for a minute. It may be restarting; it has nine more."),
  onUnresponsive: () => {
    console.error("The site has not responded for ten minutes and is being stopped. Run npm start to start it again.");
    killProcessGroup(site.process);
  },
});
const patiently = <Answer>(ask: (site: string) => Promise<Answer>) => askPatiently(() => ask(base), PATIENCE_MS);
if (!(await patiently(isSeeded))) {
  console.log("Bringing the demo's town to life ...");
  await seedMembers(base);
}
runCronLocally(base);

console.log(`\nReady after ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
for (const brand of BRANDS) {
  console.log(`  ${brand.name.padEnd(8)} http://${brand.id}.localhost:${port}`);
}
console.log(
  (await patiently(hasDemoLogins))
    ? `\n  Demo logins, password ${DEMO_PASSWORD}: ${DEMO_LOGINS.map((login) => login.email).join(", ")}`
    : "\n  No demo members: the database had accounts before. A new one gets them: delete .wrangler/state.",
);
console.log(`  Mail sent by the site: ${base}/dev/mail\n`);
if (await patiently(lacksPictures)) {
  console.log("  The demo members' pictures are still being uploaded, the nearest first.");
  // The site works without them, and the next start resumes an interrupted upload.
  await seedPictures(base).then(
    (count) => console.log(`  ${count} demo pictures are in place.`),
    (error) => console.error(`  The demo pictures are not all in place: ${error}`),
  );
}

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
