/** Mail of one brand: its domain is onboarded to send, its records are looked at, and letters to it lead to a mailbox. */
import type { Account } from "../account/client.ts";
import { findZone, type Zone } from "../account/resources.ts";

interface SendingDomain {
  readonly tag: string;
  readonly name: string;
  readonly enabled: boolean;
}

interface DnsRecord {
  readonly type: string;
  readonly name: string;
  readonly content: string;
}

interface RoutingAddress {
  readonly email: string;
  readonly verified: string | null;
}

interface RoutingRule {
  readonly matchers: readonly { readonly field?: string; readonly value?: string }[];
}

/** What the platform's own mail servers are called. */
const PLATFORM_MX = /\.mx\.cloudflare\.net\.?$/;

export interface MailPlan {
  readonly host: string;
  /** Where letters arrive in the end. */
  readonly mailbox: string;
  readonly dryRun: boolean;
}

/** Does what can be done and answers what still waits for the operator, each as a sentence. */
export async function onboardMail(account: Account, { host, mailbox, dryRun }: MailPlan): Promise<string[]> {
  const zone = await findZone(account, host);
  if (!zone) return [`${host} is in no zone of this account`];
  return [
    ...(await onboardSending(account, zone, host, dryRun)),
    ...(await routeLetters(account, zone, host, mailbox, dryRun)),
  ];
}

async function onboardSending(account: Account, zone: Zone, host: string, dryRun: boolean): Promise<string[]> {
  const path = `/zones/${zone.id}/email/sending/subdomains`;
  const found = (await account.ask<SendingDomain[]>("GET", path)).find(({ name }) => name === host);
  if (!found && dryRun) return [`${host} would be onboarded to send mail`];
  const domain = found ?? (await account.ask<SendingDomain>("POST", path, { name: host }));
  const wanted = await account.ask<DnsRecord[]>("GET", `${path}/${domain.tag}/dns`);
  const records = await account.ask<DnsRecord[]>("GET", `/zones/${zone.id}/dns_records?per_page=500`);
  const lacks = wanted.filter((record) => !records.some((there) => isSame(there, record)));
  const open = lacks.map(
    ({ type, name }) => `${host}: the ${type} record of ${name} is not there, so mail will be refused`,
  );
  const dmarc = `_dmarc.${host}`;
  if (!records.some(({ name }) => name === dmarc)) {
    if (dryRun) return [...open, `${dmarc} would be written`];
    await account.ask("POST", `/zones/${zone.id}/dns_records`, {
      ...{ type: "TXT", name: dmarc, ttl: 3600 },
      content: `"v=DMARC1; p=none; rua=mailto:volunteers@${host}"`,
    });
  }
  return open;
}

/** `hello@` and `volunteers@`. A domain whose mail goes to another service already is left alone. */
async function routeLetters(
  account: Account,
  zone: Zone,
  host: string,
  mailbox: string,
  dryRun: boolean,
): Promise<string[]> {
  const servers = await account.ask<DnsRecord[]>("GET", `/zones/${zone.id}/dns_records?type=MX&name=${host}`);
  if (servers.some(({ content }) => !PLATFORM_MX.test(content))) {
    return [`${host} gets its mail elsewhere: make hello@${host} and volunteers@${host} there`];
  }
  const addresses = await account.ask<RoutingAddress[]>("GET", "~/email/routing/addresses?per_page=50");
  const known = addresses.find(({ email }) => email === mailbox);
  if (dryRun) return known?.verified ? [] : [`${mailbox} would be asked to confirm that it takes letters`];
  if (!known) await account.ask("POST", "~/email/routing/addresses", { email: mailbox });
  if (!known?.verified) return [`${mailbox} has a mail with a link to confirm: press it, then run npm run setup again`];
  const { enabled } = await account.ask<{ enabled: boolean }>("GET", `/zones/${zone.id}/email/routing`);
  if (!enabled) await account.ask("POST", `/zones/${zone.id}/email/routing/enable`, {});
  const rules = await account.ask<RoutingRule[]>("GET", `/zones/${zone.id}/email/routing/rules?per_page=50`);
  for (const address of [`hello@${host}`, `volunteers@${host}`]) {
    if (rules.some(({ matchers }) => matchers.some(({ value }) => value === address))) continue;
    await account.ask("POST", `/zones/${zone.id}/email/routing/rules`, {
      ...{ name: address, enabled: true },
      matchers: [{ type: "literal", field: "to", value: address }],
      actions: [{ type: "forward", value: [mailbox] }],
    });
  }
  return [];
}

function isSame(there: DnsRecord, wanted: DnsRecord): boolean {
  const bare = (text: string) => text.replaceAll('"', "").replace(/\.$/, "").trim();
  return there.type === wanted.type && there.name === wanted.name && bare(there.content) === bare(wanted.content);
}
