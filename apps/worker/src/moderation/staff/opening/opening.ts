/** The opening of a brand: what its admins tick, each tick with its name in the audit log, and the opening, which is public and final. */
import { type Brand, missingContacts } from "@lambda/brands";
import { Email } from "@lambda/contract/accounts";
import { type OpeningState, OpeningStep } from "@lambda/contract/opening";
import { type RawBuilder, sql } from "kysely";
import { mailboxOf } from "../../../accounts/mailbox.ts";
import { guardQuery, passesGuards, type Query } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/errors.ts";
import { toIsoOrNull } from "../../../platform/iso-time.ts";
import { isOpen, OPENED } from "../../../platform/opening.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import type { AuditEvent } from "../../audit/chain.ts";
import { staffEvent, withAudit } from "../../audit/log.ts";

export async function readOpening(ctx: MemberContext): Promise<OpeningState> {
  const rows = await ctx.db
    .selectFrom("opening_step as s")
    .leftJoin("account as a", "a.id", "s.account_id")
    .leftJoin("profile as p", "p.id", "a.id")
    .select(["s.step", "s.ts_done", "a.name", "p.profile_name"])
    .where("s.brand", "=", ctx.brand.id)
    .execute();
  const invited = await ctx.db
    .selectFrom("opening_invitation")
    .select("mailbox")
    .where("brand", "=", ctx.brand.id)
    .orderBy("mailbox")
    .execute();
  const done = new Map(rows.map((row) => [row.step, row]));
  return {
    open: await isOpen(ctx),
    steps: OpeningStep.options.map((step) => {
      const row = done.get(step);
      return { step, tsDone: toIsoOrNull(row?.ts_done ?? null), by: row?.name || row?.profile_name || null };
    }),
    invited: invited.map(({ mailbox }) => mailbox),
  };
}

/** Throws CONFLICT for a brand that is open. */
export async function tickStep(ctx: MemberContext, step: OpeningStep, done: boolean): Promise<void> {
  await requireUnopened(ctx);
  const { db, brand, now, viewer } = ctx;
  const query = done
    ? db
        .insertInto("opening_step")
        .values({ brand: brand.id, step, account_id: viewer.profileId, ts_done: now })
        .onConflict((conflict) => conflict.doNothing())
    : db.deleteFrom("opening_step").where("brand", "=", brand.id).where("step", "=", step);
  const isTicked = sql<boolean>`exists (select 1 from opening_step where brand = ${brand.id} and step = ${step})`;
  const event = staffEvent(ctx, done ? "opening.ticked" : "opening.unticked", {
    confidential: true,
    details: { step },
  });
  await changeOnce(ctx, done ? sql`not ${isTicked}` : isTicked, query, event);
}

/** Logs nothing if a call whose answer was lost, or another admin, made the change before. */
async function changeOnce(ctx: MemberContext, isDue: RawBuilder<boolean>, query: Query, event: AuditEvent) {
  await passesGuards(withAudit(ctx, [guardQuery(ctx.db, isDue), query], [event]));
}

/** Throws CONFLICT for a brand that is open, or names what is missing of the contacts or the steps. */
export async function openBrand(ctx: MemberContext): Promise<void> {
  await requireUnopened(ctx);
  requireContacts(ctx.brand);
  const { steps } = await readOpening(ctx);
  const missing = steps.filter(({ tsDone }) => tsDone === null).map(({ step }) => step);
  if (missing.length > 0) throw new AppError("CONFLICT", { message: `Not ticked yet: ${missing.join(", ")}.` });
  const { db, brand, now, viewer } = ctx;
  const queries = [
    db.insertInto("opening_step").values({ brand: brand.id, step: OPENED, account_id: viewer.profileId, ts_done: now }),
    db.deleteFrom("opening_invitation").where("brand", "=", brand.id),
  ];
  await withAudit(ctx, queries, [staffEvent(ctx, "site.opened")]);
}

/** Who is responsible, and where letters, orders and notices arrive (docs/law/contact-points.md): the legal notice shows it from the first day. */
function requireContacts({ contact, legalName, operatorAddress }: Brand): void {
  const missing = [
    ...(legalName.trim() === "" ? ["legalName"] : []),
    ...missingContacts(contact).map((name) => `contact.${name}`),
  ];
  const wrong = Object.entries({ "contact.authorities": contact.authorities, operatorAddress })
    .filter(([name, address]) => !missing.includes(name) && !Email.safeParse(address).success)
    .map(([name]) => name);
  const [field] = [...missing, ...wrong];
  if (!field) return;
  const sentences = [
    ...(missing.length > 0 ? [`Missing in deployment/site.json, and the law asks for it: ${missing.join(", ")}.`] : []),
    ...wrong.map((name) => `${name} is no mail address.`),
  ];
  throw new AppError("CONFLICT", { field, message: sentences.join(" ") });
}

/** The invited get no mail: they register as everybody will. */
export async function invite(ctx: MemberContext, email: string, invited: boolean): Promise<void> {
  await requireUnopened(ctx);
  const { db, brand } = ctx;
  const mailbox = mailboxOf(email);
  const query = invited
    ? db
        .insertInto("opening_invitation")
        .values({ brand: brand.id, mailbox })
        .onConflict((conflict) => conflict.doNothing())
    : db.deleteFrom("opening_invitation").where("brand", "=", brand.id).where("mailbox", "=", mailbox);
  const isInvited = sql<boolean>`exists (select 1 from opening_invitation where brand = ${brand.id} and mailbox = ${mailbox})`;
  const event = staffEvent(ctx, invited ? "opening.invited" : "opening.uninvited", { confidential: true });
  await changeOnce(ctx, invited ? sql`not ${isInvited}` : isInvited, query, event);
}

async function requireUnopened(ctx: MemberContext): Promise<void> {
  if (await isOpen(ctx)) throw new AppError("CONFLICT", { message: "This brand is open already." });
}
