import type { NoticeDraft, NoticeResponse } from "@lambda/contract/notices";
import type { z } from "zod";
import type { Context } from "../../platform/context.ts";
import { randomHex } from "../../platform/hash.ts";
import { randomId } from "../../platform/random-id.ts";
import { noticeDeadline } from "./deadline.ts";
import { receiptSecret, senderMarks } from "./keyed-hashes.ts";
import { mailReceipt } from "./mails.ts";
import { checkWork, countNotice } from "./proof-of-work.ts";
import { confirmNotice } from "./receipt.ts";
import { hashUpload } from "./upload.ts";

/** Digits and letters without lookalikes. */
const REF_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const REF_LENGTH = 10;

type Draft = z.output<typeof NoticeDraft>;

/**
 * Accepts a notice from anybody, and matches pictures after the response, so that neither the response nor its timing
 * reveals what exists. Whatever is accepted gets its receipt by mail. Throws BAD_INPUT for a missing proof of work, TOO_MANY_REQUESTS if
 * it was too easy or the network floods.
 */
export async function fileNotice(ctx: Context, draft: Draft): Promise<z.output<typeof NoticeResponse>> {
  const harder = await checkWork(ctx, draft.proof);
  if (ctx.quotas) await countNotice(ctx, harder, draft.email);
  const { kind, category, role, name, email, contact, location, explanation, locale } = draft;
  const anonymous = email === undefined;
  const ref = newRef();
  const notice = await ctx.db
    .insertInto("notice")
    .values({
      id: randomId(),
      ref,
      case_ref: randomHex(12),
      brand: ctx.brand.id,
      kind,
      category,
      role: kind === "intimate" ? (role ?? null) : null,
      locale,
      name,
      email: email ?? "",
      contact,
      location,
      explanation,
      upload_hash: draft.picture === undefined ? null : await hashUpload(ctx.env, draft.picture),
      ...senderMarks(ctx, email),
      anonymous: anonymous ? 1 : 0,
      ts_created: ctx.now,
    })
    .returning(["id", "brand", "case_ref", "category"])
    .executeTakeFirstOrThrow();
  if (anonymous) await confirmNotice(ctx, notice);
  else ctx.waitUntil(mailReceipt(ctx, { ref, locale, email, kind }));
  return { ref, secret: receiptSecret(ctx.env, ref), tsDue: noticeDeadline(kind, ctx.now) };
}

function newRef(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(REF_LENGTH)), (byte) => REF_LETTERS[byte % 32]).join("");
}
