import { hashPassword } from "@lambda/worker/passwords";
import { DEMO_LOGINS, isNeighbour, listResidents, residentStatements } from "./crowd.ts";
import { shotsOf, uploadShots } from "./pictures.ts";
import { beginSessions, callSite, endSessions, runOn } from "./site-calls.ts";
import { acquaintances } from "./town/talks.ts";
import { bringToLife } from "./town/town.ts";

export { DEMO_LOGINS } from "./crowd.ts";

/** The demo of a local database; members go in as rows by the development door of the running site, all else by its own calls. */

export const DEMO_PASSWORD = "demo-password";
/** The device of the sessions by which members act while the town is made. */
const ACTOR = "Demo town";
/** The device of the sessions that upload; as long as there is one, pictures are missing. */
const UPLOADER = "Demo seed";

export async function isSeeded(base: string): Promise<boolean> {
  return (await count(base, "account where true")) > 0;
}

/** Whether the demo logins are there: a database that had members of its own before is not seeded. */
export async function hasDemoLogins(base: string): Promise<boolean> {
  return (await count(base, `account where email = '${DEMO_LOGINS[0].email}'`)) > 0;
}

/** The members, and what happened between them so far, in a few seconds. The pictures of the crowd are left to `seedPictures`. */
export async function seedMembers(base: string, now = Date.now()): Promise<void> {
  const residents = listResidents();
  const ids = residents.map(({ id }) => id);
  const known = residents.filter(({ id }) => id > DEMO_LOGINS.length);
  await runOn(
    base,
    ...(await residentStatements(residents, await hashPassword(DEMO_PASSWORD), now)),
    ...acquaintances(
      known.map(({ id }) => id),
      now,
    ),
  );
  const sessions = await beginSessions(base, ids, { device: ACTOR, now });
  await bringToLife(callSite(base, sessions), residents, now);
  await endSessions(base, ACTOR);
  await beginSessions(base, ids.slice(-1), { device: UPLOADER, now });
}

/** Whether uploading the pictures has not ended yet: it goes on where a start before was broken off. */
export async function lacksPictures(base: string): Promise<boolean> {
  return (await count(base, `session where device_label = '${UPLOADER}'`)) > 0;
}

/** Draws the pictures that are missing and uploads them the way a member does; returns how many. Runs while the site is already in use. */
export async function seedPictures(base: string, now = Date.now()): Promise<number> {
  const [rows = []] = await runOn(base, {
    query: `select id, (select count(*) from picture where profile_id = profile.id and audience in ('public', 'private')) as n
      from profile where status = 'active'`,
  });
  const have = new Map((rows as { id: number; n: number }[]).map(({ id, n }) => [id, n]));
  // Who is suspended uploads nothing.
  const residents = listResidents().filter(({ id }) => have.has(id));
  // The logins and those around them first: they are seen first.
  const near = residents.filter((resident) => resident.played || isNeighbour(resident));
  const far = residents.filter((resident) => !near.includes(resident));
  const shots = [near, far].flatMap((some) => shotsOf(some, have, now));
  const actors = [...new Set(shots.map(({ resident }) => resident.id))];
  const sessions = await beginSessions(base, actors, { device: UPLOADER, now });
  await uploadShots(callSite(base, sessions), shots, now);
  await endSessions(base, UPLOADER);
  return shots.length;
}

async function count(base: string, from: string): Promise<number> {
  const [rows = []] = await runOn(base, { query: `select count(*) as n from ${from}` });
  return Number(rows[0]?.n);
}
