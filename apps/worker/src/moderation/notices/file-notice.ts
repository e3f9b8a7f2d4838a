import { NOTICE_DISOWNED_MS } from "@lambda/contract/limits";
import type { NoticeDraft, NoticeResponse } from "@lambda/contract/notices";
import type { z } from "zod";
import type { Context } from "../../platform/context.ts";
import { batch } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex, randomId } from "../../platform/hash.ts";
import { NO_MAIL } from "../../platform/mail/send-mail.ts";
import { checkWork } from "../../platform/proof-of-work.ts";
import { mailboxMarks, receiptSecret, senderMarks } from "./keyed-hashes.ts";
import { prepareReceipt } from "./mails.ts";
import { countNotice } from "./proof-of-work.ts";
import { confirmNotice, noticeDeadline } from "./receipt.ts";
import { hashUpload } from "./upload.ts";

/** Digits and letters without lookalikes. */
const REF_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const REF_LENGTH = 10;

type Draft = z.output<typeof NoticeDraft>;

/**
 * Accepts a notice from anybody, and matches pictures after the response, so that neither the response nor its timing
 * reveals what exists. Whatever is accepted gets its receipt by mail. Throws BAD_INPUT for a missing proof of work and for an address
 * whose owner wants none, TOO_MANY_REQUESTS if the work was too easy.
 */
export async function fileNotice(ctx: Context, draft: Draft): Promise<z.output<typeof NoticeResponse>> {
  const harder = await checkWork(ctx, draft.proof);
  if (ctx.quotas) await countNotice(ctx, harder, draft.email);
  const marks = senderMarks(ctx, draft.email);
  await requireWanted(ctx, draft.email);
  const { kind, category, role, name, email, contact, location, explanation, locale } = draft;
  const anonymous = email === undefined;
  const ref = Array.from(crypto.getRandomValues(new Uint8Array(REF_LENGTH)), (byte) => REF_LETTERS[byte % 32]).join("");
  const mail = anonymous ? NO_MAIL : prepareReceipt(ctx, { ref, locale, email, kind });
  const insert = ctx.db
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
      ...(draft.picture !== undefined && (await hashUpload(ctx.env, draft.picture))),
      ...marks,
      anonymous: anonymous ? 1 : 0,
      ts_created: ctx.now,
    })
    .returning(["id", "brand", "case_ref", "category"]);
  const [notices] = await batch(ctx.d1, [insert, ...mail.queries]);
  if (anonymous) await confirmNotice(ctx, notices[0]!);
  else ctx.waitUntil(mail.deliver());
  return { ref, secret: receiptSecret(ctx.env, ref), tsDue: noticeDeadline(kind, ctx.now) };
}

/** Throws if the mailbox's owner has recently said that somebody else filed a notice in their name. */
async function requireWanted({ db, env, now }: Context, email: string | undefined): Promise<void> {
  if (email === undefined) return;
  const disowned = await db
    .selectFrom("notice")
    .select("id")
    .where("sender_mailbox", "in", mailboxMarks(env, email))
    .where("ts_disowned", ">", now - NOTICE_DISOWNED_MS)
    .executeTakeFirst();
  if (disowned) throw new AppError("BAD_INPUT", { field: "email", reason: "DISOWNED", message: DISOWNED });
}

const DISOWNED =
  "The owner of this address told us that somebody else used it for a notice. If it is yours, use another address for now.";
