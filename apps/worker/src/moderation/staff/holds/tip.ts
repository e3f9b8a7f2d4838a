/**
 * Prepares a report to NCMEC's CyberTipline from what the site knows. The site never sends it: staff submit the file
 * themselves.
 */
import { storedBrand } from "@lambda/brands";
import type { TipDraft, TipFields } from "@lambda/contract/holds";
import { sql } from "kysely";
import { AppError } from "../../../platform/errors.ts";
import { originOf } from "../../../platform/http/address.ts";
import { toIso } from "../../../platform/iso-time.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import { staffEvent, withAudit } from "../../audit/log.ts";
import type { FoundCase } from "../../effects/find-case.ts";
import { getCase } from "../cases.ts";
import { logView } from "../members.ts";
import { isNetworkAdmin } from "../scope.ts";
import { tipText, tipXml } from "./tip-file.ts";

/** Throws NOT_FOUND for a case in which nobody reported a minor. */
export async function readTipDraft(ctx: MemberContext, reportId: number): Promise<TipDraft> {
  const found = await getMinorCase(ctx, reportId);
  const brand = storedBrand(found.brand);
  // Before the address is read, as in a member's file.
  await logView(ctx, found.subjectId);
  const [member, evidence] = await Promise.all([
    ctx.db
      .selectFrom("profile as p")
      .innerJoin("account as a", "a.id", "p.id")
      .select(["a.email", "a.home_brand", "a.ts_created", "p.birthdate", "p.profile_name"])
      .where("p.id", "=", found.subjectId)
      .executeTakeFirstOrThrow(),
    ctx.db
      .selectFrom("evidence as e")
      .leftJoin("picture as pic", (join) =>
        join.onRef("pic.id", "=", "e.source_id").onRef("pic.profile_id", "=", "e.author_id"),
      )
      .select(["e.id", "e.kind", "e.author_id", "e.body", "e.r2_key", "e.staff_only", "e.ts_source"])
      .select("pic.ts_created as ts_uploaded")
      .where("e.report_id", "=", reportId)
      .orderBy("e.ts_source")
      .execute(),
  ]);
  // As in a member's file, staff of a sister brand do not see the address.
  const canSeeEmail = (member.home_brand === ctx.brand.id || isNetworkAdmin(ctx)) && member.email.includes("@");
  const files: TipDraft["files"] = [];
  const texts: TipDraft["texts"] = [];
  for (const item of evidence) {
    const body = JSON.parse(item.body) as { name?: string; text?: string; tsUploaded?: number };
    const text = [body.name, body.text].filter(Boolean).join("\n");
    const by = item.author_id === found.subjectId ? "reported" : "other";
    if (text !== "") texts.push({ by, text, ts: toIso(item.ts_source) });
    const stored = item.r2_key === null ? null : await ctx.env.PICTURES.get(item.r2_key);
    if (!stored) continue;
    const bytes = await stored.arrayBuffer();
    files.push({
      evidenceId: item.id,
      fileName: `evidence-${item.id}.${extensionOf(stored.httpMetadata?.contentType)}`,
      md5: await digest("MD5", bytes),
      sha1: await digest("SHA-1", bytes),
      sha256: await digest("SHA-256", bytes),
      tsUploaded: toIso((item.kind === "picture" ? item.ts_uploaded : body.tsUploaded) ?? item.ts_source),
      publiclyAvailable: item.staff_only === 0,
    });
  }
  return {
    reportId,
    incidentDateTime: toIso(found.tsCreated),
    companyName: brand.legalName,
    reported: {
      espIdentifier: String(found.subjectId),
      screenName: member.profile_name,
      email: canSeeEmail ? member.email : null,
      dateOfBirth: member.birthdate,
      profileUrl: `${originOf(brand)}/profile/${found.subjectId}`,
      tsRegistered: member.ts_created > 0 ? toIso(member.ts_created) : null,
    },
    files,
    texts,
  };
}

/** The file extension for evidence's content type: a picture or a voice recording. */
const extensionOf = (type = "image/webp") => ({ "audio/webm": "webm", "audio/mp4": "m4a" })[type] ?? "webp";

/** Makes the report as an XML file for NCMEC and as readable text, and logs that it was made. */
export async function makeTipFile(ctx: MemberContext, reportId: number, fields: TipFields) {
  const { caseRef, brand } = await getMinorCase(ctx, reportId);
  const draft = await readTipDraft(ctx, reportId);
  const made = { brand, confidential: true, details: { case: caseRef } };
  await withAudit(ctx, [], [staffEvent(ctx, "tip.prepared", made)]);
  return { name: `cybertip-case-${reportId}`, xml: tipXml(draft, fields), text: tipText(draft, fields) };
}

async function getMinorCase(ctx: MemberContext, reportId: number): Promise<FoundCase> {
  const found = await getCase(ctx, reportId);
  if (found.rule === "minor") return found;
  const filed = await ctx.db
    .selectFrom("report_filing")
    .select("id")
    .where("report_id", "=", reportId)
    .where("category", "=", sql.lit("minor"))
    .executeTakeFirst();
  if (!filed) throw new AppError("NOT_FOUND");
  return found;
}

async function digest(algorithm: "MD5" | "SHA-1" | "SHA-256", bytes: ArrayBuffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest(algorithm, bytes)).toString("hex");
}
