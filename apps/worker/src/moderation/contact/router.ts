import { ContactDraft, ContactMessage, ProblemDraft } from "@lambda/contract/contact";
import { isolate } from "@lambda/contract/isolate";
import { CONTACT_MESSAGES_PER_HOUR_MAX, CONTACT_MESSAGES_PER_SITE_MAX, HOUR_MS } from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import { insertIf } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import { escapeHtml, sendMail } from "../../platform/mail/send-mail.ts";
import { limitNetworkByWork } from "../../platform/proof-of-work.ts";
import { spendLimit, spendQuota } from "../../platform/rate-limits/limit.ts";
import { openProcedure, router } from "../../platform/trpc.ts";

interface Letter {
  readonly kind: "contact" | "problem";
  readonly name: string;
  readonly message: string;
}

/** Stores a letter for the admins' queue and mails it to the operator. Throws TOO_MANY_REQUESTS for members, WORK_NEEDED for visitors. */
async function submitLetter(ctx: Context, { kind, name, message }: Letter) {
  const { viewer, brand, db, now } = ctx;
  // Open to visitors, because somebody who cannot log in has no other way to reach the volunteers.
  const max = { network: CONTACT_MESSAGES_PER_HOUR_MAX, site: CONTACT_MESSAGES_PER_SITE_MAX };
  if (viewer) await spendLimit(ctx, `contact:member:${viewer.profileId}`, max.network, HOUR_MS);
  else await limitNetworkByWork(ctx, "contact", max, HOUR_MS);
  if (viewer) await spendQuota(ctx, "letters", viewer.profileId, { letters: 1 });
  const profileId = viewer?.profileId ?? null;
  const letter = { kind, profile_id: profileId, brand: brand.id, name, message, ts_created: now };
  // Its author repeats what got no answer.
  const same = db
    .selectFrom("contact_message")
    .select(["id", "ts_created"])
    .where("kind", "=", kind)
    .where("profile_id", "is", profileId)
    .where("brand", "=", brand.id)
    .where("name", "=", name)
    .where("message", "=", message)
    .where("ts_created", ">", now - HOUR_MS)
    .where("ts_done", "is", null);
  const inserted = await insertIf(db, "contact_message", letter, ({ not, exists }) => not(exists(same)))
    .returning(["id", "ts_created"])
    .executeTakeFirst();
  if (inserted) ctx.waitUntil(mailToOperator(ctx, inserted.id, { kind, name, message }));
  const { id, ts_created } = inserted ?? (await same.executeTakeFirstOrThrow());
  return { id, name, message, tsCreated: toIso(ts_created) };
}

/** The stored row is the message and this mail only a notification, so a failed mail loses nothing. */
async function mailToOperator(ctx: Context, id: number, { kind, name, message }: Letter): Promise<void> {
  const { viewer, brand } = ctx;
  const account = viewer
    ? await ctx.db.selectFrom("account").select("email").where("id", "=", viewer.profileId).executeTakeFirst()
    : undefined;
  const from = viewer ? `member ${viewer.profileId}` : "a visitor";
  const lead = `${kind === "problem" ? "Problem report" : "Contact message"} ${id} from ${isolate(name)} (${from})`;
  const mail = {
    to: brand.operatorAddress,
    subject: `${brand.name}: ${kind} ${id}`,
    text: `${lead}\n\n${message}`,
    html: `<p>${escapeHtml(lead)}</p><pre>${escapeHtml(message)}</pre>`,
    ...(account && { replyTo: account.email }),
  };
  await sendMail(ctx.env, brand, mail, { kind: "letter", by: viewer?.profileId ?? null });
}

export const contactRouter = router({
  send: openProcedure("POST /contactus-messages", "Write to the volunteers")
    .input(ContactDraft)
    .output(ContactMessage)
    .mutation(({ ctx, input }) => submitLetter(ctx, { kind: "contact", ...input })),

  reportProblem: openProcedure("POST /problem-reports", "Report that something does not work")
    .input(ProblemDraft)
    .output(ContactMessage)
    .mutation(({ ctx, input }) => {
      const message = input.page ? `${input.message}\n\nPage: ${input.page}` : input.message;
      return submitLetter(ctx, {
        kind: "problem",
        name: ctx.viewer ? `Member ${ctx.viewer.profileId}` : "Visitor",
        message,
      });
    }),
});
