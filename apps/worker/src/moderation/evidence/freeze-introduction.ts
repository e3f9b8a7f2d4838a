import { randomHex } from "../../platform/hash.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { EVIDENCE_PREFIX } from "../../social/pictures/known/held.ts";
import { findVisibleIntroduction } from "../../social/voices/introduction.ts";
import type { FrozenItem } from "./freeze.ts";

/** Copies the subject's voice introduction if the reporter may hear it now. Jurors hear only a public one. */
export async function freezeIntroduction(
  ctx: MemberContext,
  subjectId: number,
  id: number | undefined,
): Promise<FrozenItem[]> {
  const voice = id === undefined ? undefined : await findVisibleIntroduction(ctx, id);
  const stored = voice?.profile_id === subjectId ? await ctx.env.PICTURES.get(voice.r2_key) : null;
  if (!voice || !stored) return [];
  const r2Key = `${EVIDENCE_PREFIX}${randomHex(16)}`;
  await ctx.env.PICTURES.put(r2Key, await stored.arrayBuffer(), { httpMetadata: { contentType: voice.mime } });
  return [
    {
      kind: "voice",
      authorId: subjectId,
      sourceId: voice.id,
      body: { text: "", durationMs: voice.duration_ms, tsUploaded: voice.ts_created },
      tsSource: ctx.now,
      r2Key,
      staffOnly: voice.audience !== "public",
    },
  ];
}
