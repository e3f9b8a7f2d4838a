/** GET /status: whether the site works, for anybody, without scripts or an account. Reads the metrics, never the database. */
import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { defineCopy } from "@lambda/contract/copy";
import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import { COMPONENT_OF_ALERT, COMPONENTS, type Component } from "@lambda/contract/site-health";
import { type AllowInline, plainPage } from "../documents/plain-page.ts";
import type { Env } from "../env.ts";
import { localeOf } from "../http/locale.ts";
import { toIso } from "../iso-time.ts";
import { logFault } from "../log.ts";
import { escapeHtml } from "../mail/send-mail.ts";
import { metricsOf } from "../metrics/counts.ts";
import type { OpenIncident, SiteStatus } from "../objects.ts";

const statusCopy = defineCopy({
  en: {
    title: (brand: string) => `${brand}: status`,
    up: "Everything works.",
    degraded: "Something isn't working as it should. We know.",
    unnoticed: "Everything works. We're mending something you don't notice.",
    unknown: "We can't tell right now whether the site is working.",
    works: "working",
    problems: "having problems",
    components: { site: "The site", mail: "Mail", notifications: "Push notifications", pictures: "New pictures" },
    past: "The last fourteen days",
    none: "No problems.",
    since: (time: string) => `since ${time}`,
    between: (from: string, until: string) => `${from} to ${until}`,
    how: "From the site's own metrics, which count requests, never people. Times are UTC.",
    home: "To the site",
  },
  es: {
    title: (brand: string) => `${brand}: estado`,
    up: "Todo funciona.",
    degraded: "Algo no funciona como debería. Lo sabemos.",
    unnoticed: "Todo funciona. Estamos arreglando algo que no notas.",
    unknown: "Ahora mismo no podemos decir cómo está el sitio.",
    works: "funciona",
    problems: "con problemas",
    components: { site: "El sitio", mail: "Correo", notifications: "Avisos push", pictures: "Fotos nuevas" },
    past: "Los últimos catorce días",
    none: "Ningún problema.",
    since: (time: string) => `desde ${time}`,
    between: (from: string, until: string) => `de ${from} a ${until}`,
    how: "Son las cifras del propio sitio, que cuentan peticiones, nunca personas. Horas en UTC.",
    home: "Ir al sitio",
  },
});

const SHOWN_MS = 14 * DAY_MS;
/** Times are rounded, so that they do not reveal when the operator did what. */
const ROUNDED_TO_MS = 10 * MINUTE_MS;
const CACHED_MS = 30_000;

interface Outage {
  readonly component: Component;
  readonly from: number;
  readonly until: number | null;
}

interface Status {
  readonly outages: readonly Outage[];
  /** Whether anything is wrong, also what members do not notice. */
  readonly hasIncident: boolean;
}

/** Cached per isolate: many people open this page when something is wrong. */
let cache: { readonly at: number; readonly status: Status | undefined } | undefined;

export async function statusPage(
  { env, request, brand, now }: { env: Env; request: Request; brand: Brand; now: number },
  allowInline: AllowInline,
): Promise<Response> {
  if (!cache || now - cache.at > CACHED_MS || now < cache.at) cache = { at: now, status: await readStatus(env, now) };
  const locale = localeOf(request);
  const page = { title: statusCopy[locale].title(brand.name), body: renderBody(locale, cache.status) };
  const headers = { "cache-control": `public, max-age=${CACHED_MS / 1000}`, vary: "accept-language" };
  // An outside watcher reads this number only.
  const status = !cache.status || cache.status.hasIncident ? 503 : 200;
  return plainPage({ brand, locale, ...page, headers, status }, allowInline);
}

/** Undefined if the metrics are unavailable or silent. */
async function readStatus(env: Env, now: number): Promise<Status | undefined> {
  try {
    const { incidents, isSilent }: SiteStatus = await metricsOf(env).status();
    if (isSilent) return undefined;
    return { outages: toOutages(incidents, now), hasIncident: incidents.some(({ until }) => until === null) };
  } catch (error) {
    logFault({ event: "status" }, error);
    return undefined;
  }
}

/** Newest first; overlapping alerts about one component are one outage. */
export function toOutages(incidents: readonly OpenIncident[], now: number): Outage[] {
  const outages: Outage[] = [];
  for (const { alert, from, until } of incidents.toSorted((one, other) => one.from - other.from)) {
    const component = COMPONENT_OF_ALERT[alert];
    if (!component || (until !== null && until < now - SHOWN_MS)) continue;
    const start = from - (from % ROUNDED_TO_MS);
    const end = until === null ? null : until - (until % ROUNDED_TO_MS) + ROUNDED_TO_MS;
    const same = outages.findIndex(
      (before) => before.component === component && (before.until === null || before.until >= start),
    );
    const before = outages[same];
    if (!before) outages.push({ component, from: start, until: end });
    else
      outages[same] = { ...before, until: before.until === null || end === null ? null : Math.max(before.until, end) };
  }
  return outages.toReversed();
}

function renderBody(locale: Locale, status: Status | undefined): string {
  const copy = statusCopy[locale];
  const outages = status?.outages;
  const text = escapeHtml;
  const time = (ms: number) => {
    const iso = toIso(ms);
    return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
  };
  const isDown = (component: Component) =>
    outages?.some((outage) => outage.component === component && outage.until === null);
  const now = COMPONENTS.map(
    (component) =>
      `<li>${text(copy.components[component])}: <strong>${text(isDown(component) ? copy.problems : copy.works)}</strong></li>`,
  );
  const past = (outages ?? []).map(
    ({ component, from, until }) =>
      `<li>${text(copy.components[component])}: ${until === null ? copy.since(time(from)) : copy.between(time(from), time(until))}</li>`,
  );
  const fine = status?.hasIncident ? copy.unnoticed : copy.up;
  const headline = outages ? (COMPONENTS.some(isDown) ? copy.degraded : fine) : copy.unknown;
  return `<h1>${text(headline)}</h1>
${outages ? `<ul>${now.join("")}</ul><h2>${text(copy.past)}</h2>${past.length > 0 ? `<ul>${past.join("")}</ul>` : `<p>${text(copy.none)}</p>`}` : ""}
<p class="muted">${text(copy.how)}</p>
<p><a href="/">${text(copy.home)}</a></p>`;
}
