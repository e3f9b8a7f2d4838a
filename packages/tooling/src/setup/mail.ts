/** Sets up mail for one brand: enables sending for its domain, checks DNS records, and forwards incoming mail to a mailbox. */
import type { RecordResponse } from "cloudflare/resources/dns/records";
import type { DNSRecord } from "cloudflare/resources/email-routing/dns";
import type { Zone } from "cloudflare/resources/zones/zones";
import type { Account } from "../account/client.ts";
import { missingPermission } from "../account/permissions.ts";
import { findZone } from "../account/resources.ts";

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

async function onboardSending({ api }: Account, { id }: Zone, host: string, dryRun: boolean): Promise<string[]> {
  const zone = { zone_id: id };
  const { subdomains } = api.emailSending;
  const existing = (await subdomains.list(zone)).result.find(({ name }) => name === host);
  if (!existing && dryRun) return [`${host} would be onboarded to send mail`];
  const domain = existing ?? (await subdomains.create({ ...zone, name: host }));
  const { result: required } = await subdomains.dns.get(domain.tag, zone);
  const records = await listAll(api.dns.records.list(zone));
  const missing = required.filter((record) => !records.some((each) => isSame(each, record)));
  const problems = missing.map(
    ({ type, name }) => `${host}: the ${type} record of ${name} is not there, so mail will be rejected`,
  );
  const dmarc = `_dmarc.${host}`;
  if (!records.some(({ name }) => name === dmarc)) {
    if (dryRun) return [...problems, `${dmarc} would be written`];
    await api.dns.records.create({
      ...zone,
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
  { id: account_id, api }: Account,
  { id }: Zone,
  host: string,
  mailbox: string,
  dryRun: boolean,
): Promise<string[]> {
  const zone = { zone_id: id };
  const servers = await api.dns.records.list({ ...zone, type: "MX", name: { exact: host } });
  if (servers.result.some(({ content }) => !PLATFORM_MX.test(content ?? ""))) {
    return [`${host} gets its mail elsewhere: make hello@${host} and volunteers@${host} there`];
  }
  const addresses = await listAll(api.emailRouting.addresses.list({ account_id }));
  const known = addresses.find(({ email }) => email === mailbox);
  if (dryRun) return known?.verified ? [] : [`${mailbox} would be asked to confirm that it accepts forwarded mail`];
  if (!known) await api.emailRouting.addresses.create({ account_id, email: mailbox });
  if (!known?.verified)
    return [`${mailbox} has a mail with a confirmation link: open it, then run npm run setup again`];
  const { enabled } = await api.emailRouting.get(zone);
  if (!enabled) await api.emailRouting.dns.create(zone);
  const rules = await listAll(api.emailRouting.rules.list(zone));
  for (const address of [`hello@${host}`, `volunteers@${host}`]) {
    if (rules.some(({ matchers }) => matchers?.some(({ value }) => value === address))) continue;
    await api.emailRouting.rules.create({
      ...zone,
      name: address,
      enabled: true,
      matchers: [{ type: "literal", field: "to", value: address }],
      actions: [{ type: "forward", value: [mailbox] }],
    });
  }
  return [];
}

async function listAll<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

function isSame(a: RecordResponse, b: DNSRecord): boolean {
  const normalize = (text = "") => text.replaceAll('"', "").replace(/\.$/, "").trim();
  return a.type === b.type && a.name === b.name && normalize(a.content) === normalize(b.content);
}
