/** Scenes of "Is it him?": judges elsewhere, and a member who hands in stills. */
import type { BrandId } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import type { OwnPersonCheck, PersonCheckItem } from "@lambda/contract/person-check";
import type { Point } from "@lambda/geo/distance";
import { BERLIN, MADRID, proveJudges, standAt } from "../judges.ts";
import { createMember, type TestMember } from "../member.ts";
import { uploadPicture } from "../pictures.ts";
import { makePng } from "../png.ts";
import type { RunSql } from "../sql.ts";
import type { TestWorker } from "../worker.ts";

export async function createJudges(
  worker: TestWorker & { readonly run: RunSql },
  count: number,
  { brand = "harbor", at = MADRID }: { readonly brand?: BrandId; readonly at?: Point } = {},
): Promise<TestMember[]> {
  const judges: TestMember[] = [];
  for (let week = 0; week < count; week += 1)
    judges.push(await createMember(worker, { brand, created: Date.now() - (40 + 7 * week) * DAY_MS }));
  const ids = judges.map(({ id }) => id);
  await worker.run(...proveJudges(ids, at));
  return judges;
}

/** A member in Berlin with public pictures. */
export async function createPictured(
  worker: TestWorker & { readonly run: RunSql },
  { pictures = 2, brand = "ember" }: { readonly pictures?: number; readonly brand?: BrandId } = {},
): Promise<TestMember> {
  const man = await createMember(worker, { brand });
  await worker.run(standAt(man.id, BERLIN));
  for (let index = 0; index < pictures; index += 1) await uploadPicture(man, { bytes: makePng(40, 50 + 10 * index) });
  return man;
}

/** Draws a pose and hands in three stills. */
export async function handIn(man: TestMember): Promise<OwnPersonCheck> {
  await man.send("POST", "/api/person-check");
  const pictures: number[] = [];
  for (const height of [70, 80, 90])
    pictures.push((await uploadPicture(man, { audience: "once", bytes: makePng(40, height) })).id);
  const response = await man.send("POST", "/api/person-check/stills", { pictures });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as OwnPersonCheck;
}

export async function drawItems(judge: TestMember): Promise<PersonCheckItem[]> {
  const response = await judge.send("POST", "/api/games/ishim/draw");
  return response.ok ? ((await response.json()) as PersonCheckItem[]) : [];
}

/** The item of a check that the judge was drawn for, which the answer does not tell from exercises. */
export async function findSeat(worker: TestWorker, judge: TestMember): Promise<PersonCheckItem | undefined> {
  const items = await drawItems(judge);
  const { results } = await worker.env.DB.prepare(
    "select item.key from game_pack, json_each(items) item where profile_id = ? and item.value ->> 'checked' is not null",
  )
    .bind(judge.id)
    .all<{ key: string }>();
  return items.find(({ itemId }) => results.some(({ key }) => Number(key) === itemId));
}

/** Reads the pictures of an item; returns the statuses. */
export function look(judge: TestMember, itemId: number): Promise<number[]> {
  const read = async (index: number) => (await judge.fetch(`/api/games/ishim/picture/${itemId}/${index}`)).status;
  return Promise.all([0, 1, 2, 3, 4, 5].map(read));
}

export async function judgeAs(
  worker: TestWorker,
  judges: readonly TestMember[],
  answer: string,
  max = judges.length,
): Promise<number> {
  let judged = 0;
  for (const judge of judges) {
    if (judged === max) break;
    const item = await findSeat(worker, judge);
    if (!item) continue;
    await look(judge, item.itemId);
    const response = await judge.send("POST", "/api/games/ishim/vote", { itemId: item.itemId, answer });
    if (response.status !== 201) throw new Error(await response.text());
    judged += 1;
  }
  return judged;
}
