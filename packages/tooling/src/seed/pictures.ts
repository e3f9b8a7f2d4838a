import { DAY_MS } from "@lambda/contract/limits";
import { seededRandom } from "@lambda/testing/random";
import sharp from "sharp";
import { type Mood, pick, portrait } from "./portraits.ts";
import { describeResident, PUBLIC_PICTURES, type Resident, seedOf } from "./residents.ts";
import type { SiteCalls } from "./site-calls.ts";

/** Draws the demo's pictures and uploads them through the API. */

interface Shot {
  readonly resident: Resident;
  readonly shot: number;
  readonly audience: "public" | "private" | "chat";
}

/** How many pictures are drawn ahead of the upload, because drawing and uploading use different processes. */
const DRAWN_AHEAD = 3;

/** The pictures that residents still lack, where `have` counts existing ones; everyone's first before anyone's second. */
export function shotsOf(residents: readonly Resident[], have: ReadonlyMap<number, number>, now: number): Shot[] {
  const shots = residents.flatMap((resident) =>
    Array.from({ length: describeResident(resident, now).pictures }, (_, shot) => ({ resident, shot })).slice(
      have.get(resident.id) ?? 0,
    ),
  );
  return shots
    .map(({ resident, shot }): Shot => ({ resident, shot, audience: shot < PUBLIC_PICTURES ? "public" : "private" }))
    .sort((a, b) => a.shot - b.shot || a.resident.id - b.resident.id);
}

/** Returns the picture ids in the order of `shots`. Uploads sequentially, so that ids are deterministic. */
export async function uploadShots(site: SiteCalls, shots: readonly Shot[], now: number): Promise<number[]> {
  const drawn: Promise<Drawing>[] = [];
  const ids: number[] = [];
  for (const [index, { resident, shot, audience }] of shots.entries()) {
    while (drawn.length <= Math.min(index + DRAWN_AHEAD, shots.length - 1))
      drawn.push(draw(shots[drawn.length] as Shot, now));
    const { file, nsfw } = await (drawn[index] as Promise<Drawing>);
    const form = new FormData();
    form.set("authorProfileId", String(resident.id));
    form.set("picfilename", `demo-${shot}.jpg`);
    form.set("picfile", file);
    form.set("audience", audience);
    form.set("nsfw", String(nsfw));
    const { id } = await site.callAs<{ id: number }>(resident.id, now, {
      method: "POST",
      path: "/api/profile-pic",
      body: form,
    });
    ids.push(id);
  }
  return ids;
}

interface Drawing {
  readonly file: File;
  readonly nsfw: boolean;
}

async function draw({ resident, shot, audience }: Shot, now: number): Promise<Drawing> {
  const seed = seedOf(resident);
  const random = seededRandom(seed * 13 + shot).next;
  const age = (now - Date.parse(describeResident(resident, now).birthdate)) / (365.2425 * DAY_MS);
  const mood = moodOf(resident, shot, audience, random);
  const jpeg = await sharp(Buffer.from(portrait(seed, age, shot, mood)))
    .jpeg({ quality: 82 })
    .toBuffer();
  const file = new File([new Uint8Array(jpeg)], `demo-${shot}.jpg`, { type: "image/jpeg" });
  return { file, nsfw: mood === "torso" && random() < 0.45 };
}

/** Members with a role show their face first; the others show faces, torsos and scenes. */
function moodOf({ role }: Resident, shot: number, audience: Shot["audience"], random: () => number): Mood {
  if (audience === "chat") return "scene";
  if (role) return shot === 0 ? "face" : shot === 1 ? "scene" : "torso";
  return shot === 0 ? pick(random, ["face", "face", "torso"]) : pick(random, ["torso", "scene", "face"]);
}
