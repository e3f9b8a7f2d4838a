/**
 * `npm run age-issuers`, and part of each deployment: reads whose proofs of age count, and writes the files that the worker is built with.
 * So nobody is asked when a member proves their age. A list that cannot be read leaves the one of before.
 */
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";

const FOLDER = `${ROOT}apps/worker/src/members/age/issuers/`;
const TIMEOUT_MS = 20_000;

interface Source {
  readonly method: "eu-av" | "mdl";
  /** Names an https address or a file; the operator's choice. */
  readonly variable: string;
  readonly fallback: string | undefined;
}

const SOURCES: readonly Source[] = [
  {
    method: "eu-av",
    variable: "AGE_ISSUERS_EU_AV",
    fallback: "https://eidas.ec.europa.eu/efda/trust-services/browse/av-tl",
  },
  // Each state has a list of its own: the operator chooses.
  { method: "mdl", variable: "AGE_ISSUERS_MDL", fallback: undefined },
];

interface IssuerFile {
  readonly source: string;
  readonly fetched: string;
  readonly certificates: readonly string[];
}

/** Certificates of a list: ETSI TS 119 602 (JSON, plain or signed), ETSI TS 119 612 (XML) or PEM, as base64 of their DER. */
export function readIssuers(text: string, now = new Date()): string[] {
  const found = text.includes("-----BEGIN CERTIFICATE-----")
    ? fromPem(text)
    : text.trimStart().startsWith("<")
      ? fromXml(text)
      : fromJson(text);
  const usable = found.map((base64) => base64.replaceAll(/\s/g, "")).filter((base64) => isUsable(base64, now));
  return [...new Set(usable)].sort();
}

function isUsable(base64: string, now: Date): boolean {
  try {
    const { publicKey, validTo } = new X509Certificate(Buffer.from(base64, "base64"));
    return publicKey.asymmetricKeyType === "ec" && new Date(validTo) > now;
  } catch {
    return false;
  }
}

function fromPem(text: string): string[] {
  return [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map(
    ([, body = ""]) => body,
  );
}

/** Services that are granted, alone: the list's own signature carries a certificate too, which issues nothing. */
function fromXml(text: string): string[] {
  return [...text.matchAll(/<(?:\w+:)?TSPService>([\s\S]*?)<\/(?:\w+:)?TSPService>/g)]
    .map(([, service = ""]) => service.replace(/<(?:\w+:)?ServiceHistory>[\s\S]*?<\/(?:\w+:)?ServiceHistory>/g, ""))
    .filter((service) => /Svcstatus\/granted\s*</.test(service))
    .flatMap((service) =>
      [...service.matchAll(/<(?:\w+:)?X509Certificate>([^<]+)</g)].map(([, certificate = ""]) => certificate),
    );
}

/** A list by itself, or the payload of the signature around it. */
function fromJson(text: string): string[] {
  const isPlain = /^\s*[{[]/.test(text);
  const [, payload = ""] = text.trim().split(".");
  const list: unknown = JSON.parse(isPlain ? text : Buffer.from(payload, "base64url").toString());
  return servicesOf(list).flatMap(certificatesOf);
}

type Json = Readonly<Record<string, unknown>>;

/** Whatever has a digital identity is a service, unless it was withdrawn or only tells of revocations. */
function servicesOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(servicesOf);
  if (typeof value !== "object" || value === null) return [];
  const node = value as Json;
  if ("ServiceDigitalIdentity" in node) {
    const says = `${node.ServiceStatus ?? ""} ${node.ServiceTypeIdentifier ?? ""}`;
    return /withdrawn|revocation/i.test(says) ? [] : [node];
  }
  return Object.entries(node).flatMap(([name, inner]) => (name === "ServiceHistory" ? [] : servicesOf(inner)));
}

function certificatesOf(service: Json): string[] {
  const { X509Certificates = [] } = service.ServiceDigitalIdentity as { X509Certificates?: unknown[] };
  return X509Certificates.map((each) => (typeof each === "string" ? each : String((each as Json).val ?? "")));
}

async function readSource(address: string): Promise<string> {
  if (existsSync(address)) return readFileSync(address, "utf8");
  if (!address.startsWith("https://")) throw new Error("is neither a file nor an https address");
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return answer.text();
}

/** Writes each list that could be read and names somebody; says what it did. */
export async function refreshIssuers(environment: NodeJS.ProcessEnv = process.env, folder = FOLDER): Promise<void> {
  for (const { method, variable, fallback } of SOURCES) {
    const file = `${folder}${method}.json`;
    const before = JSON.parse(readFileSync(file, "utf8")) as IssuerFile;
    const source = environment[variable] ?? fallback;
    if (!source) continue;
    const kept = (why: string) =>
      console.warn(`${method}: the list at ${source} ${why}; ${before.certificates.length} issuers of before stay.`);
    try {
      const certificates = readIssuers(await readSource(source));
      if (certificates.length === 0) {
        kept("names no issuer");
        continue;
      }
      const fetched = new Date().toISOString().slice(0, 10);
      writeFileSync(file, `${JSON.stringify({ source, fetched, certificates }, null, 2)}\n`);
      console.log(`${method}: ${certificates.length} issuers of ${source}.`);
    } catch (error) {
      kept(`could not be read (${error instanceof Error ? error.message : error})`);
    }
  }
}
