/** Sets up mail for one brand: enables sending for its domain, checks DNS records, and forwards incoming mail to a mailbox. */
import type { Account } from "../account/client.ts";
import { missingPermission } from "../account/permissions.ts";
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

/** Host names of the platform's mail servers. */
const PLATFORM_MX = /\.mx\.cloudflare\.net\.?$/;

export interface MailPlan {
  readonly host: string;
  /** Where incoming mail is forwarded. */
  readonly mailbox: string;
  readonly dryRun: boolean;
}

/** Does what is possible, and returns what is left for the operator, each as a sentence. */
export async function onboardMail(account: Account, { host, mailbox, dryRun }: MailPlan): Promise<string[]> {
  const zone = await findZone(account, host);
  if (!zone) return [`${host} is in no zone of this account`];
  return [
    ...(await unlessRefused(host, () => onboardSending(account, zone, host, dryRun))),
    ...(await unlessRefused(host, () => forwardMail(account, zone, host, mailbox, dryRun))),
  ];
}

/** A missing permission must not keep the site from being deployed. */
async function unlessRefused(host: string, run: () => Promise<string[]>): Promise<string[]> {
  try {
    return await run();
  } catch (error) {
    const missing = missingPermission(error);
    if (!missing) throw error;
    return [`${host}: mail is not complete, because the token lacks ${missing}: add it, then run npm run setup again`];
  }
}

async function onboardSending(account: Account, zone: Zone, host: string, dryRun: boolean): Promise<string[]> {
  const path = `/zones/${zone.id}/email/sending/subdomains`;
  const existing = (await account.request<SendingDomain[]>("GET", path)).find(({ name }) => name === host);
  if (!existing && dryRun) return [`${host} would be onboarded to send mail`];
  const domain = existing ?? (await account.request<SendingDomain>("POST", path, { name: host }));
  const required = await account.request<DnsRecord[]>("GET", `${path}/${domain.tag}/dns`);
  const records = await account.request<DnsRecord[]>("GET", `/zones/${zone.id}/dns_records?per_page=500`);
  const missing = required.filter((record) => !records.some((each) => isSame(each, record)));
  const problems = missing.map(
    ({ type, name }) => `${host}: the ${type} record of ${name} is not there, so mail will be rejected`,
  );
  const dmarc = `_dmarc.${host}`;
  if (!records.some(({ name }) => name === dmarc)) {
    if (dryRun) return [...problems, `${dmarc} would be written`];
    await account.request("POST", `/zones/${zone.id}/dns_records`, {
      type: "TXT",
      name: dmarc,
      ttl: 3600,
      content: `"v=DMARC1; p=none; rua=mailto:volunteers@${host}"`,
    });
  }
  return problems;
}

/** Forwards `hello@` and `volunteers@`, unless the domain already uses another mail service. */
async function forwardMail(
  account: Account,
  zone: Zone,
  host: string,
  mailbox: string,
  dryRun: boolean,
): Promise<string[]> {
  const servers = await account.request<DnsRecord[]>("GET", `/zones/${zone.id}/dns_records?type=MX&name=${host}`);
  if (servers.some(({ content }) => !PLATFORM_MX.test(content))) {
    return [`${host} gets its mail elsewhere: make hello@${host} and volunteers@${host} there`];
  }
  const addresses = await account.request<RoutingAddress[]>("GET", "~/email/routing/addresses?per_page=50");
  const known = addresses.find(({ email }) => email === mailbox);
  if (dryRun) return known?.verified ? [] : [`${mailbox} would be asked to confirm that it accepts forwarded mail`];
  if (!known) await account.request("POST", "~/email/routing/addresses", { email: mailbox });
  if (!known?.verified)
    return [`${mailbox} has a mail with a confirmation link: open it, then run npm run setup again`];
  const { enabled } = await account.request<{ enabled: boolean }>("GET", `/zones/${zone.id}/email/routing`);
  if (!enabled) await account.request("POST", `/zones/${zone.id}/email/routing/dns`, {});
  const rules = await account.request<RoutingRule[]>("GET", `/zones/${zone.id}/email/routing/rules?per_page=50`);
  for (const address of [`hello@${host}`, `volunteers@${host}`]) {
    if (rules.some(({ matchers }) => matchers.some(({ value }) => value === address))) continue;
    await account.request("POST", `/zones/${zone.id}/email/routing/rules`, {
      name: address,
      enabled: true,
      matchers: [{ type: "literal", field: "to", value: address }],
      actions: [{ type: "forward", value: [mailbox] }],
    });
  }
  return [];
}

function isSame(a: DnsRecord, b: DnsRecord): boolean {
  const normalize = (text: string) => text.replaceAll('"', "").replace(/\.$/, "").trim();
  return a.type === b.type && a.name === b.name && normalize(a.content) === normalize(b.content);
}
