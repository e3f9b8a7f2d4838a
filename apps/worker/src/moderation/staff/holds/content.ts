/** The content of an opened hold. Each view is logged in the audit log before the content is returned. */
import type { HoldContent } from "@lambda/contract/holds";
import type { LegalHoldItemRow, LegalHoldRow } from "../../../platform/db/tables.ts";
import { AppError, notFound } from "../../../platform/errors.ts";
import { toIso } from "../../../platform/iso-time.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import { withAudit } from "../../audit/log.ts";
import type { HoldRecord } from "../../hold/record.ts";
import { unseal } from "../../hold/seal.ts";
import { holdObjectKey } from "../../hold/start.ts";
import { getOpenHold } from "./opening.ts";
import { holdEvent } from "./scope.ts";

export async function readHold(ctx: MemberContext, holdRef: string): Promise<HoldContent> {
  const hold = await getOpenHold(ctx, holdRef);
  const items = await ctx.db
    .selectFrom("legal_hold_item")
    .selectAll()
    .where("hold_ref", "=", holdRef)
    .orderBy("ts_created")
    .orderBy("mac")
    .execute();
  await withAudit(ctx, [], [holdEvent(ctx, hold, "hold.viewed", { details: { what: "record" } })]);
  const content: HoldContent = { records: [], pictures: [] };
  const voiceIds = new Set<number | null>();
  for (const item of items.filter(({ kind }) => kind === "record")) {
    const json = new TextDecoder().decode(await openItem(ctx, hold, item));
    content.records.push({ tsKept: toIso(item.ts_created), json });
    // Evidence with bytes is either a picture or a voice recording.
    const { evidence } = JSON.parse(json) as Pick<HoldRecord, "evidence">;
    for (const { id, kind } of evidence) if (kind !== "picture") voiceIds.add(id);
  }
  for (const { kind, mac, bytes, evidence_id: evidenceId } of items) {
    if (kind !== "record") content.pictures.push({ mac, kind, evidenceId, isVoice: voiceIds.has(evidenceId), bytes });
  }
  return content;
}

export async function readHeldPicture(ctx: MemberContext, holdRef: string, mac: string): Promise<Uint8Array> {
  const hold = await getOpenHold(ctx, holdRef);
  const item = await ctx.db
    .selectFrom("legal_hold_item")
    .selectAll()
    .where("hold_ref", "=", holdRef)
    .where("mac", "=", mac)
    .where("kind", "<>", "record")
    .executeTakeFirstOrThrow(notFound);
  await withAudit(
    ctx,
    [],
    [holdEvent(ctx, hold, "hold.viewed", { details: { what: item.kind, copy: mac.slice(0, 12) } })],
  );
  return openItem(ctx, hold, item);
}

async function openItem({ env }: MemberContext, hold: LegalHoldRow, { mac }: LegalHoldItemRow): Promise<Uint8Array> {
  const object = await env.PICTURES.get(holdObjectKey(hold, mac));
  if (!object) throw new AppError("NOT_FOUND");
  return unseal(env.HOLD_KEY, hold, mac, await object.arrayBuffer());
}
