/**
 * Formats a CyberTipline report as XML, with the field names of NCMEC's public reporting interface, and as readable
 * text. Staff must check the fields against the interface's current documentation before sending it.
 */
import type { TipDraft, TipFields } from "@lambda/contract/holds";

const NOTE =
  "Fields after NCMEC's public CyberTipline reporting interface: check them against its current documentation before sending.";

type XmlNode = readonly [name: string, content: string | boolean | null | readonly XmlNode[], attributes?: string];

export function tipXml(draft: TipDraft, fields: TipFields): string {
  const { reported } = draft;
  const report: XmlNode = [
    "report",
    [
      [
        "incidentSummary",
        [
          ["incidentType", fields.incidentType],
          ["incidentDateTime", fields.incidentDateTime],
        ],
      ],
      ["internetDetails", [["webPageIncident", [["url", reported.profileUrl]]]]],
      [
        "reporter",
        [
          [
            "reportingPerson",
            [
              ["firstName", fields.reporterFirstName],
              ["lastName", fields.reporterLastName],
              ["email", fields.reporterEmail],
            ],
          ],
          ["companyTemplate", draft.companyName],
        ],
      ],
      [
        "personOrUserReported",
        [
          [
            "personOrUserReportedPerson",
            [
              ["email", reported.email],
              ["dateOfBirth", reported.dateOfBirth],
            ],
          ],
          ["espIdentifier", reported.espIdentifier],
          ["screenName", reported.screenName],
          ["profileUrl", reported.profileUrl],
          ["additionalInfo", reported.tsRegistered && `Account registered ${reported.tsRegistered}`],
        ],
      ],
      ["additionalInfo", additionalInfo(draft, fields)],
    ],
  ];
  const files = draft.files.map((file) => toFileNode(file, fields));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${NOTE} -->\n${toXml(["cyberTip", [report, ...files]], "")}\n`;
}

function toFileNode(file: TipDraft["files"][number], { filesViewed }: TipFields): XmlNode {
  return [
    "fileDetails",
    [
      ["originalFileName", file.fileName],
      ["fileViewedByEsp", filesViewed],
      ["publiclyAvailable", file.publiclyAvailable],
      ["originalFileHash", file.md5, ' hashType="MD5"'],
      ["originalFileHash", file.sha1, ' hashType="SHA1"'],
      ["originalFileHash", file.sha256, ' hashType="SHA256"'],
      ["additionalInfo", `Uploaded ${file.tsUploaded}; the copy that was frozen with the report`],
    ],
  ];
}

export function tipText(draft: TipDraft, fields: TipFields): string {
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
function toXml([name, content, attributes = ""]: XmlNode, indent: string): string {
  if (content === null || content === "") return "";
  if (!Array.isArray(content)) return `${indent}<${name}${attributes}>${escapeXml(String(content))}</${name}>`;
  const children = (content as readonly XmlNode[])
    .map((child) => toXml(child, `${indent}  `))
    .filter((text) => text !== "");
  return children.length === 0 ? "" : [`${indent}<${name}>`, ...children, `${indent}</${name}>`].join("\n");
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
