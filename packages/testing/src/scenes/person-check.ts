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
  await worker.run(
    ...proveJudges(
      judges.map(({ id }) => id),
      at,
    ),
  );
  return judges;
}

/** A member in Berlin with two public pictures. */
export async function createPictured(worker: TestWorker & { readonly run: RunSql }): Promise<TestMember> {
  const man = await createMember(worker);
  await worker.run(standAt(man.id, BERLIN));
  for (const height of [50, 60]) await uploadPicture(man, { bytes: makePng(40, height) });
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

/** The item of a check, with a pose, that the judge was drawn for. */
export async function findSeat(judge: TestMember): Promise<PersonCheckItem | undefined> {
  const response = await judge.send("POST", "/api/games/ishim/draw");
  const items = response.ok ? ((await response.json()) as PersonCheckItem[]) : [];
  return items.find(({ pose }) => pose !== null);
}

export async function judgeAs(judges: readonly TestMember[], answer: string, max = judges.length): Promise<number> {
  let judged = 0;
  for (const judge of judges) {
    if (judged === max) break;
    const item = await findSeat(judge);
    if (!item) continue;
    const response = await judge.send("POST", "/api/games/ishim/vote", { itemId: item.itemId, answer });
    if (response.status !== 201) throw new Error(await response.text());
    judged += 1;
  }
  return judged;
}
