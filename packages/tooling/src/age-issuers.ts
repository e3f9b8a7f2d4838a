/**
 * `npm run age-issuers`, also run by each deployment: downloads the lists of trusted age proof issuers into deployment/issuers, which
 * is bundled with the worker, so that nobody is contacted when a member proves their age. If a list cannot be read, the previous one stays.
 */
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { reasonOf } from "./deploy/smoke.ts";
import { DEPLOYMENT } from "./deployment/site-file.ts";

const FOLDER = join(DEPLOYMENT, "issuers");
const TIMEOUT_MS = 20_000;

interface Source {
  readonly method: "eu-av" | "mdl";
  /** Environment variable with the operator's choice: an https URL or a file. */
  readonly variable: string;
  readonly fallback: string | undefined;
}

const SOURCES: readonly Source[] = [
  {
    method: "eu-av",
    variable: "AGE_ISSUERS_EU_AV",
    fallback: "https://eidas.ec.europa.eu/efda/trust-services/browse/av-tl",
  },
  // Each state publishes its own list, so the operator has to choose.
  { method: "mdl", variable: "AGE_ISSUERS_MDL", fallback: undefined },
];

interface IssuerFile {
  readonly source: string;
  readonly fetched: string;
  readonly certificates: readonly string[];
}

/** Parses a list in ETSI TS 119 602 (JSON, plain or signed), ETSI TS 119 612 (XML) or PEM into base64 DER certificates. */
export function parseIssuers(text: string, now = new Date()): string[] {
  const certificates = text.includes("-----BEGIN CERTIFICATE-----")
    ? [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map(([, body = ""]) => body)
    : text.trimStart().startsWith("<")
      ? fromXml(text)
      : fromJson(text);
  const usable = certificates.map((base64) => base64.replaceAll(/\s/g, "")).filter((base64) => isUsable(base64, now));
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

/** Only certificates of granted services: the list's signature contains another certificate, which is not an issuer. */
function fromXml(text: string): string[] {
  return [...text.matchAll(/<(?:\w+:)?TSPService>([\s\S]*?)<\/(?:\w+:)?TSPService>/g)]
    .map(([, service = ""]) => service.replace(/<(?:\w+:)?ServiceHistory>[\s\S]*?<\/(?:\w+:)?ServiceHistory>/g, ""))
    .filter((service) => /Svcstatus\/granted\s*</.test(service))
    .flatMap((service) =>
      [...service.matchAll(/<(?:\w+:)?X509Certificate>([^<]+)</g)].map(([, certificate = ""]) => certificate),
    );
}

/** A plain list, or the payload of a signed one (JWS). */
function fromJson(text: string): string[] {
  const isPlain = /^\s*[{[]/.test(text);
  const [, payload = ""] = text.trim().split(".");
  const list: unknown = JSON.parse(isPlain ? text : Buffer.from(payload, "base64url").toString());
  return servicesOf(list).flatMap(certificatesOf);
}

type Json = Readonly<Record<string, unknown>>;

/** Every node with a digital identity is a service, except withdrawn ones and revocation services. */
function servicesOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(servicesOf);
  if (typeof value !== "object" || value === null) return [];
  const node = value as Json;
  if ("ServiceDigitalIdentity" in node) {
    const description = `${node.ServiceStatus ?? ""} ${node.ServiceTypeIdentifier ?? ""}`;
    return /withdrawn|revocation/i.test(description) ? [] : [node];
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
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`responded with ${response.status}`);
  return response.text();
}

/** The certificates of each method; none before the first download. */
export function readIssuers(root: string): Record<Source["method"], readonly string[]> {
  const read = (method: Source["method"]) => readList(join(root, FOLDER, `${method}.json`)).certificates;
  return { "eu-av": read("eu-av"), mdl: read("mdl") };
}

const readList = (file: string): IssuerFile =>
  existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as IssuerFile)
    : { source: "", fetched: "", certificates: [] };

/** Updates each list that could be read and is not empty, and logs the result. */
export async function refreshIssuers(environment: NodeJS.ProcessEnv = process.env, root: string = ROOT): Promise<void> {
  for (const { method, variable, fallback } of SOURCES) {
    const file = join(root, FOLDER, `${method}.json`);
    const previous = readList(file);
    const source = environment[variable] ?? fallback;
    if (!source) continue;
    const warnKept = (reason: string) =>
      console.warn(
        `${method}: the list at ${source} ${reason}; keeping ${previous.certificates.length} issuers until the next deployment.`,
      );
    try {
      const certificates = parseIssuers(await readSource(source));
      if (certificates.length === 0) {
        warnKept("contains no issuer");
        continue;
      }
      const fetched = new Date().toISOString().slice(0, 10);
      mkdirSync(join(root, FOLDER), { recursive: true, mode: 0o700 });
      writeFileSync(file, `${JSON.stringify({ source, fetched, certificates }, null, 2)}\n`);
      console.log(`${method}: ${certificates.length} issuers from ${source}.`);
    } catch (error) {
      warnKept(`could not be read (${reasonOf(error)})`);
    }
  }
}

if (import.meta.main) await refreshIssuers();
