/**
 * A CyberTipline report as a file, with the field names of NCMEC's public reporting interface, and the same to read. Whoever sends
 * it checks the fields against the interface's current documentation first.
 */
import type { TipDraft, TipFields } from "@lambda/contract/holds";

const NOTE =
  "Fields after NCMEC's public CyberTipline reporting interface: check them against its current documentation before sending.";

type Node = readonly [name: string, content: string | boolean | null | readonly Node[], attributes?: string];

export function tipXml(draft: TipDraft, fields: TipFields): string {
  const { reported } = draft;
  const report: Node = [
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
  const files = draft.files.map(
    (file): Node => [
      "fileDetails",
      [
        ["originalFileName", file.fileName],
        ["fileViewedByEsp", fields.filesViewed],
        ["publiclyAvailable", file.publiclyAvailable],
        ["originalFileHash", file.md5, ' hashType="MD5"'],
        ["originalFileHash", file.sha1, ' hashType="SHA1"'],
        ["originalFileHash", file.sha256, ' hashType="SHA256"'],
        ["additionalInfo", `Uploaded ${file.tsUploaded}; the copy that was frozen with the report`],
      ],
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${NOTE} -->\n${print(["cyberTip", [report, ...files]], "")}\n`;
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
  const words = draft.texts.map(
    ({ by, text, ts }) => `[${ts}] ${by === "reported" ? "Reported" : "Other side"}: ${text}`,
  );
  return [typed, ...words].filter((text) => text !== "").join("\n");
}

/** An element without content is left out: the interface refuses empty ones. */
function print([name, content, attributes = ""]: Node, indent: string): string {
  if (content === null || content === "") return "";
  if (!Array.isArray(content)) return `${indent}<${name}${attributes}>${escapeXml(String(content))}</${name}>`;
  const children = (content as readonly Node[])
    .map((child) => print(child, `${indent}  `))
    .filter((text) => text !== "");
  return children.length === 0 ? "" : [`${indent}<${name}>`, ...children, `${indent}</${name}>`].join("\n");
}

/** Control characters may not stand in XML 1.0 at all. */
function escapeXml(text: string): string {
  return text
    .replace(/(?![\n\t])\p{Cc}|[\uFFFE\uFFFF]/gu, "")
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
