/** GET /status: whether the site works, for anybody, without script or account. It reads the figures and never the database. */
import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { DAY_MS } from "@lambda/contract/limits";
import { COMPONENT_OF, COMPONENTS, type Component } from "@lambda/contract/site-health";
import { hashOfInline, localeOf, plainPageStyle } from "../documents/plain-page.ts";
import type { Env } from "../env.ts";
import { logFault } from "../log.ts";
import { escapeHtml } from "../mail/escape-html.ts";
import { metricsOf } from "../metrics/counts.ts";
import type { OpenIncident } from "../objects.ts";
import { statusCopy } from "./copy.ts";

const SHOWN_MS = 14 * DAY_MS;
/** Nearer times would say what the operator did when. */
const ROUNDED_MS = 10 * 60_000;
const KEPT_MS = 30_000;

interface Disturbance {
  readonly component: Component;
  readonly from: number;
  readonly until: number | null;
}

/** Of this isolate: a page that many look at when something is wrong must not be what is asked most. */
let kept: { readonly at: number; readonly disturbances: readonly Disturbance[] | undefined } | undefined;

export async function statusPage(
  { env, request, brand, now }: { env: Env; request: Request; brand: Brand; now: number },
  allowInline: (hashes: { script: string; style: string }) => void,
): Promise<Response> {
  if (!kept || now - kept.at > KEPT_MS || now < kept.at)
    kept = { at: now, disturbances: await listDisturbances(env, now) };
  const locale = localeOf(request);
  const style = plainPageStyle(brand);
  allowInline({ script: await hashOfInline(""), style: await hashOfInline(style) });
  return new Response(draw(brand, locale, style, kept.disturbances), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": `public, max-age=${KEPT_MS / 1000}`,
      vary: "accept-language",
    },
  });
}

/** Undefined when nobody can tell. */
async function listDisturbances(env: Env, now: number): Promise<Disturbance[] | undefined> {
  try {
    const incidents: readonly OpenIncident[] = await metricsOf(env).incidents();
    return toDisturbances(incidents, now);
  } catch (error) {
    logFault({ event: "status" }, error);
    return undefined;
  }
}

/** The newest first; several alerts about one thing are one disturbance. */
export function toDisturbances(incidents: readonly OpenIncident[], now: number): Disturbance[] {
  const found: Disturbance[] = [];
  for (const { alert, from, until } of incidents.toSorted((one, other) => one.from - other.from)) {
    const component = COMPONENT_OF[alert];
    if (!component || (until !== null && until < now - SHOWN_MS)) continue;
    const start = from - (from % ROUNDED_MS);
    const end = until === null ? null : until - (until % ROUNDED_MS) + ROUNDED_MS;
    const same = found.findIndex(
      (before) => before.component === component && (before.until === null || before.until >= start),
    );
    const before = found[same];
    if (!before) found.push({ component, from: start, until: end });
    else found[same] = { ...before, until: before.until === null || end === null ? null : Math.max(before.until, end) };
  }
  return found.toReversed();
}

function draw(
  { name, mark }: Brand,
  locale: Locale,
  style: string,
  disturbances: readonly Disturbance[] | undefined,
): string {
  const copy = statusCopy[locale];
  const text = escapeHtml;
  const time = (ms: number) => {
    const iso = new Date(ms).toISOString();
    return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
  };
  const open = (component: Component) =>
    disturbances?.some((disturbance) => disturbance.component === component && disturbance.until === null);
  const now = COMPONENTS.map(
    (component) =>
      `<li>${text(copy.components[component])}: <strong>${text(open(component) ? copy.disturbed : copy.works)}</strong></li>`,
  );
  const past = (disturbances ?? []).map(
    ({ component, from, until }) =>
      `<li>${text(copy.components[component])}: ${until === null ? copy.since(time(from)) : copy.between(time(from), time(until))}</li>`,
  );
  const word = disturbances ? (COMPONENTS.some(open) ? copy.degraded : copy.up) : copy.unknown;
  return `<!doctype html>
<html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${text(copy.title(name))}</title><style>${style}</style>
<main><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${text(mark)}"/></svg>
<h1>${text(word)}</h1>
${disturbances ? `<ul>${now.join("")}</ul><h2>${text(copy.past)}</h2>${past.length > 0 ? `<ul>${past.join("")}</ul>` : `<p>${text(copy.none)}</p>`}` : ""}
<p class="muted">${text(copy.how)}</p>
<p><a href="/">${text(copy.home)}</a></p>
</main></html>`;
}
