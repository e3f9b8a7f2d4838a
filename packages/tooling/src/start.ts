import { BRANDS } from "@lambda/brands";
import { isPortFree, type Site, startSite } from "@lambda/testing/site";
import { putBasemap } from "./basemap/put.ts";
import { buildWeb } from "./build-web.ts";
import { exitCodeOf } from "./exit-code.ts";
import { runCronLocally } from "./local-cron.ts";
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
import { endProcessGroup, WATCH_EVERY_MS, WATCH_TRIES, watchSite } from "./watch-site.ts";

/** `npm start`: database, basemap, build, demo members on the first run, then the site until Ctrl-C. */
const port = Number(process.env.PORT ?? 8787);
const began = Date.now();

// Before the database is touched: the site that holds the port may be using it.
if (!(await isPortFree(port))) {
  console.error(`Port ${port} is taken: set PORT, or stop what runs there.`);
  process.exit(1);
}
console.log("Building the web application ...");
const build = buildWeb();
// Told where it is waited for; the rest goes on meanwhile.
build.catch(() => undefined);
prepareDatabase();
await putBasemap();
await build;
let started: Site | undefined;
let stopping = false;
const site = await startSite({
  port,
  // What ends before it started is told by startSite's own error.
  onExit: (code) => {
    if (!started) return;
    if (!stopping) console.error("The site ended by itself. What it printed last:", started.log());
    process.exit(exitCodeOf(code, stopping));
  },
});
started = site;
// From here on its errors and warnings are shown; those of the start itself say nothing to who wants to use it.
for (const stream of [site.process.stdout, site.process.stderr]) stream?.pipe(process.stderr);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    stopping = true;
    void site.stop();
  });
process.once("uncaughtException", async (error) => {
  console.error(error);
  await site.stop();
  process.exit(1);
});

const base = `http://localhost:${port}`;
watchSite({
  ask: () => fetch(`${base}/api/ping`, { signal: AbortSignal.timeout(WATCH_EVERY_MS) }),
  ...{ everyMs: WATCH_EVERY_MS, tries: WATCH_TRIES },
  onDeaf: () => {
    console.error(
      "The site lives and has answered nobody for a minute or more. It is ended; npm start begins it again.",
    );
    endProcessGroup(site.process);
  },
});
if (!(await isSeeded(base))) {
  console.log("Bringing the demo's town to life ...");
  await seedMembers(base);
}
runCronLocally(base);

console.log(`\nReady after ${((Date.now() - began) / 1000).toFixed(1)} s.\n`);
for (const brand of BRANDS) {
  console.log(`  ${brand.name.padEnd(8)} http://${brand.id}.localhost:${port}`);
}
console.log(
  (await hasDemoLogins(base))
    ? `\n  Demo logins, password ${DEMO_PASSWORD}: ${DEMO_LOGINS.map((login) => login.email).join(", ")}`
    : "\n  No demo members: the database had accounts before. A new one gets them: delete .wrangler/state.",
);
console.log(`  Mail sent by the site: ${base}/dev/mail\n`);
if (await lacksPictures(base)) {
  console.log("  The neighbours' pictures come in during the next minutes, the nearest first.");
  // The site runs without them; the next start goes on where this one stopped.
  await seedPictures(base).then(
    (count) => console.log(`  ${count} demo pictures are in place.`),
    (error) => console.error(`  The demo pictures are not all in place: ${error}`),
  );
}
