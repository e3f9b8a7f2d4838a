/**
 * Prepares a report to NCMEC's CyberTipline from what the site knows. The site never sends it: staff submit the file
 * themselves.
 */
import { storedBrand } from "@lambda/brands";
import type { TipDraft, TipFields } from "@lambda/contract/holds";
import { sql } from "kysely";
import { notFound } from "../../../platform/errors.ts";
import { originOf } from "../../../platform/http/address.ts";
import { toIso } from "../../../platform/iso-time.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import { staffEvent, withAudit } from "../../audit/log.ts";
import type { FoundCase } from "../../effects/find-case.ts";
import { evidenceWords } from "../../evidence/words.ts";
import { getCase } from "../cases.ts";
import { logView } from "../members.ts";
import { isNetworkAdmin } from "../scope.ts";

const NOTE =
  "Fields after NCMEC's public CyberTipline reporting interface: check them against its current documentation before sending.";

/** The content of an element: text, or what is in it by the name of its element, with attributes if it has some. */
type Xml = string | boolean | null | { readonly [element: string]: Xml | readonly Xml[] };

/**
 * Formats a CyberTipline report as XML, with the field names of NCMEC's public reporting interface. Staff must check the fields against
 * the interface's current documentation before sending it.
 */
function tipXml(draft: TipDraft, fields: TipFields): string {
  const { reported } = draft;
  const { incidentType, incidentDateTime } = fields;
  const report: Xml = {
    incidentSummary: { incidentType, incidentDateTime },
    internetDetails: { webPageIncident: { url: reported.profileUrl } },
    reporter: {
      reportingPerson: {
        firstName: fields.reporterFirstName,
        lastName: fields.reporterLastName,
        email: fields.reporterEmail,
      },
      companyTemplate: draft.companyName,
    },
    personOrUserReported: {
      personOrUserReportedPerson: { email: reported.email, dateOfBirth: reported.dateOfBirth },
      espIdentifier: reported.espIdentifier,
      screenName: reported.screenName,
      profileUrl: reported.profileUrl,
      additionalInfo: reported.tsRegistered && `Account registered ${reported.tsRegistered}`,
    },
    additionalInfo: additionalInfo(draft, fields),
  };
  const fileDetails = draft.files.map((file) => ({
    originalFileName: file.fileName,
    fileViewedByEsp: fields.filesViewed,
    publiclyAvailable: file.publiclyAvailable,
    'originalFileHash hashType="MD5"': file.md5,
    'originalFileHash hashType="SHA1"': file.sha1,
    'originalFileHash hashType="SHA256"': file.sha256,
    additionalInfo: `Uploaded ${file.tsUploaded}; the copy that was frozen with the report`,
  }));
  const xml = toXml("cyberTip", { report, fileDetails }, "");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${NOTE} -->\n${xml}\n`;
}

function tipText(draft: TipDraft, fields: TipFields): string {
  const { reported } = draft;
  const lines = [
    "REPORT TO NCMEC'S CYBERTIPLINE",
    NOTE,
    "",
    `Incident: ${fields.incidentType}`,
    `Time of incident: ${fields.incidentDateTime}`,
    `Reporting company: ${draft.companyName}`,
    `Reporting person: ${fields.reporterFirstName} ${fields.reporterLastName}, ${fields.reporterEmail}`,
    "",
    `Reported account: ${reported.espIdentifier} (${reported.screenName || "no name"})`,
    `Profile: ${reported.profileUrl}`,
    `Address: ${reported.email ?? "not known here"}`,
    `Date of birth as given: ${reported.dateOfBirth ?? "none"}`,
    `Registered: ${reported.tsRegistered ?? "not known"}`,
    "",
    ...draft.files.flatMap((file) => [
      `File ${file.fileName}, uploaded ${file.tsUploaded}, ${file.publiclyAvailable ? "public" : "not public"}, ${fields.filesViewed ? "" : "not "}viewed by staff`,
      `  MD5 ${file.md5}`,
      `  SHA-1 ${file.sha1}`,
      `  SHA-256 ${file.sha256}`,
    ]),
    "",
    additionalInfo(draft, fields),
  ];
  return `${lines.join("\n")}\n`;
}

function additionalInfo(draft: TipDraft, { additionalInfo: typed }: TipFields): string {
  const texts = draft.texts.map(
    ({ by, text, ts }) => `[${ts}] ${by === "reported" ? "Reported" : "Other side"}: ${text}`,
  );
  return [typed, ...texts].filter((text) => text !== "").join("\n");
}

/** Omits elements without content, which the interface rejects. */
function toXml(element: string, content: Xml, indent: string): string {
  if (content === null || content === "") return "";
  const end = `</${element.split(" ")[0]}>`;
  if (typeof content !== "object") return `${indent}<${element}>${escapeXml(String(content))}${end}`;
  const children = Object.entries(content)
    .flatMap(([name, inner]) => [inner].flat().map((one) => toXml(name, one as Xml, `${indent}  `)))
    .filter((text) => text !== "");
  return children.length === 0 ? "" : [`${indent}<${element}>`, ...children, `${indent}${end}`].join("\n");
}

/** Also removes control characters, which XML 1.0 does not allow even escaped. */
function escapeXml(text: string): string {
  return text
    .replace(/(?![\n\t])\p{Cc}|[\uFFFE\uFFFF]/gu, "")
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

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
    const body = JSON.parse(item.body) as Record<string, string | number | boolean> & { tsUploaded?: number };
    const text = [body.name, evidenceWords(body)].filter(Boolean).join("\n");
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
  await ctx.db
    .selectFrom("report_filing")
    .select("id")
    .where("report_id", "=", reportId)
    .where("category", "=", sql.lit("minor"))
    .executeTakeFirstOrThrow(notFound);
  return found;
}

async function digest(algorithm: "MD5" | "SHA-1" | "SHA-256", bytes: ArrayBuffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest(algorithm, bytes)).toString("hex");
}
