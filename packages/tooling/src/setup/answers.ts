/** The questions of npm run setup to the operator, and the validation of the answers. */
import { BRANDS } from "@lambda/brands";
import { DATA_LOCATIONS, type DataLocation } from "../account/resources.ts";

export interface BrandAnswers {
  readonly host: string;
  readonly legalName: string;
  /** The mailbox to which mail for the brand's own addresses is forwarded. */
  readonly mailbox: string;
  readonly post: string;
  readonly authorities: string;
}

export interface Answers {
  readonly location: DataLocation;
  /** Receives alerts, and is the contact for push services. */
  readonly operator: string;
  /** Email address of the first network admin, who registers on the site. */
  readonly admin: string;
  readonly brands: Readonly<Record<string, BrandAnswers>>;
}

export type Ask = (question: string, suggestion: string) => Promise<string>;

const MAIL = /^[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}$/i;
const HOST = /^(?=.{4,253}$)(?!www\.)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

/** Throws an error that names the invalid field. */
export function checkAnswers(answers: Answers): Answers {
  if (!DATA_LOCATIONS.includes(answers.location)) throw new Error(`location: one of ${DATA_LOCATIONS.join(", ")}`);
  const mails: [string, string][] = [
    ["operator", answers.operator],
    ["admin", answers.admin],
  ];
  const hosts = new Set<string>();
  for (const { id } of BRANDS) {
    const brand = answers.brands[id];
    if (!brand) throw new Error(`brands.${id} is missing`);
    if (!HOST.test(brand.host)) throw new Error(`brands.${id}.host: "${brand.host}" is no host without www`);
    if (/\.example$/.test(brand.host)) throw new Error(`brands.${id}.host: ${brand.host} is nobody's`);
    if (hosts.has(brand.host)) throw new Error(`brands.${id}.host: another brand has ${brand.host}`);
    hosts.add(brand.host);
    if (!brand.legalName.trim()) throw new Error(`brands.${id}.legalName is empty`);
    for (const field of ["legalName", "post", "authorities"] as const) {
      if (/[\n\r]/.test(brand[field])) throw new Error(`brands.${id}.${field} has a line break`);
    }
    mails.push([`brands.${id}.mailbox`, brand.mailbox]);
    if (brand.authorities) mails.push([`brands.${id}.authorities`, brand.authorities]);
  }
  const invalid = mails.find(([, mail]) => !MAIL.test(mail));
  if (invalid) throw new Error(`${invalid[0]}: "${invalid[1]}" is no mail address`);
  return answers;
}

/** Asks all questions, with known answers as suggestions. */
export async function askAll(ask: Ask, known: Partial<Answers> = {}): Promise<Answers> {
  const location = (await ask(
    `Where should members' data be stored? It cannot be moved later. eu: guaranteed to stay in the EU; ${DATA_LOCATIONS.slice(1).join(", ")}: location hints`,
    known.location ?? "eu",
  )) as DataLocation;
  const operator = await ask("Your mail address, for alerts", known.operator ?? "");
  const admin = await ask("Mail address of the first admin's account", known.admin ?? operator);
  const brands: Record<string, BrandAnswers> = {};
  for (const { id, name } of BRANDS) {
    const previous = known.brands?.[id];
    brands[id] = {
      host: await ask(`${name}: host, in a zone of your account, without www`, previous?.host ?? ""),
      legalName: await ask(`${name}: legal name of its operator`, previous?.legalName ?? ""),
      mailbox: await ask(
        `${name}: mailbox to which hello@ and volunteers@ are forwarded`,
        previous?.mailbox ?? operator,
      ),
      post: await ask(`${name}: postal address (may be empty for now)`, previous?.post ?? ""),
      authorities: await ask(
        `${name}: mail address for authorities (may be empty for now)`,
        previous?.authorities ?? "",
      ),
    };
  }
  return checkAnswers({ location, operator, admin, brands });
}
