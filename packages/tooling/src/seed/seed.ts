import { hashPassword } from "@lambda/worker/passwords";
import { shotsOf, uploadShots } from "./pictures.ts";
import { DEMO_LOGINS, isNeighbor, listResidents, residentStatements } from "./residents.ts";
import { createSessions, createSiteCalls, deleteSessions, runSqlOn } from "./site-calls.ts";
import { acquaintanceStatements } from "./town/talks.ts";
import { playTown } from "./town/town.ts";

export { DEMO_LOGINS } from "./residents.ts";

/** Seeds a running local site: members are inserted as rows through the development SQL endpoint, everything else by API calls. */

export const DEMO_PASSWORD = "demo-password";
/** Device name of the sessions with which members act during seeding. */
const ACTOR_DEVICE = "Demo town";
/** Device name of the uploading sessions; while one exists, pictures are missing. */
const UPLOADER_DEVICE = "Demo seed";

export const isSeeded = async (base: string): Promise<boolean> => (await count(base, "account where true")) > 0;

/** Whether the demo logins exist. They do not if the database had other members before, because then it is not seeded. */
export async function hasDemoLogins(base: string): Promise<boolean> {
  return (await count(base, `account where email = '${DEMO_LOGINS[0].email}'`)) > 0;
}

/** Creates the members and their history, in a few seconds. Most pictures are left to `seedPictures`. */
export async function seedMembers(base: string, now = Date.now()): Promise<void> {
  const residents = listResidents();
  const ids = residents.map(({ id }) => id);
  const known = residents.filter(({ id }) => id > DEMO_LOGINS.length);
  await runSqlOn(
    base,
    ...residentStatements(residents, await hashPassword(DEMO_PASSWORD), now),
    ...acquaintanceStatements(
      known.map(({ id }) => id),
      now,
    ),
  );
  const sessions = await createSessions(base, ids, { device: ACTOR_DEVICE, now });
  await playTown(createSiteCalls(base, sessions), residents, now);
  await deleteSessions(base, ACTOR_DEVICE);
  await createSessions(base, ids.slice(-1), { device: UPLOADER_DEVICE, now });
}

/** Whether the picture upload is unfinished; it resumes after an interrupted start. */
export async function lacksPictures(base: string): Promise<boolean> {
  return (await count(base, `session where device_label = '${UPLOADER_DEVICE}'`)) > 0;
}

/** Draws and uploads the missing pictures, and returns their number. Runs while the site is already in use. */
export async function seedPictures(base: string, now = Date.now()): Promise<number> {
  const [rows = []] = await runSqlOn(base, {
    query: `select id, (select count(*) from picture where profile_id = profile.id and audience in ('public', 'private')) as n
      from profile where status = 'active'`,
  });
  const have = new Map((rows as { id: number; n: number }[]).map(({ id, n }) => [id, n]));
  // Suspended members cannot upload.
  const residents = listResidents().filter(({ id }) => have.has(id));
  // The logins and their neighbors first, because they are seen first.
  const near = residents.filter((resident) => resident.role || isNeighbor(resident));
  const far = residents.filter((resident) => !near.includes(resident));
  const shots = [near, far].flatMap((some) => shotsOf(some, have, now));
  const actors = [...new Set(shots.map(({ resident }) => resident.id))];
  const sessions = await createSessions(base, actors, { device: UPLOADER_DEVICE, now });
  await uploadShots(createSiteCalls(base, sessions), shots, now);
  await deleteSessions(base, UPLOADER_DEVICE);
  return shots.length;
}

async function count(base: string, from: string): Promise<number> {
  const [rows = []] = await runSqlOn(base, { query: `select count(*) as n from ${from}` });
  return Number(rows[0]?.n);
}
