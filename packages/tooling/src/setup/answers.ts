/** What the operator alone knows. Each question says what it is for; an answer that cannot be right is asked for again. */
import { BRANDS } from "@lambda/brands";
import { DATA_LOCATIONS, type DataLocation } from "../account/resources.ts";

export interface BrandAnswers {
  readonly host: string;
  readonly legalName: string;
  /** Where letters to the brand arrive in the end; the site's own addresses lead there. */
  readonly mailbox: string;
  readonly post: string;
  readonly authorities: string;
}

export interface Answers {
  readonly location: DataLocation;
  /** Gets alerts and is named to push services. */
  readonly operator: string;
  /** The first admin of all brands; an account that registers on the site. */
  readonly admin: string;
  readonly brands: Readonly<Record<string, BrandAnswers>>;
}

export type Ask = (question: string, suggestion: string) => Promise<string>;

const MAIL = /^[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}$/i;
const HOST = /^(?=.{4,253}$)(?!www\.)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

/** Throws with the field's name. */
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
  const wrong = mails.find(([, mail]) => !MAIL.test(mail));
  if (wrong) throw new Error(`${wrong[0]}: "${wrong[1]}" is no mail address`);
  return answers;
}

/** Asks for what is missing, with what is known for a suggestion. */
export async function askAll(ask: Ask, known: Partial<Answers> = {}): Promise<Answers> {
  const location = (await ask(
    `Where shall members' data lie? It cannot be moved later. eu: bound to the EU by contract; ${DATA_LOCATIONS.slice(1).join(", ")}: near there`,
    known.location ?? "eu",
  )) as DataLocation;
  const operator = await ask("Your mail address, for alerts", known.operator ?? "");
  const admin = await ask("Mail address of the first admin's account", known.admin ?? operator);
  const brands: Record<string, BrandAnswers> = {};
  for (const { id, name } of BRANDS) {
    const before = known.brands?.[id];
    brands[id] = {
      host: await ask(`${name}: its host, in a zone of your account, without www`, before?.host ?? ""),
      legalName: await ask(`${name}: who runs it, as the law wants it named`, before?.legalName ?? ""),
      mailbox: await ask(
        `${name}: mailbox that somebody reads, for hello@ and volunteers@`,
        before?.mailbox ?? operator,
      ),
      post: await ask(`${name}: postal address (may be empty for now)`, before?.post ?? ""),
      authorities: await ask(`${name}: mail address for authorities (may be empty for now)`, before?.authorities ?? ""),
    };
  }
  return checkAnswers({ location, operator, admin, brands });
}
