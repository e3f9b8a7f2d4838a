/** What everybody gets while the site is brought back from a backup. */
import type { Brand } from "@lambda/brands";
import { MAINTENANCE_PASS_HEADER } from "@lambda/contract/backup";
import { defineCopy } from "@lambda/contract/copy";
import type { Env } from "../env.ts";
import { AppError, toErrorResponse } from "../errors.ts";
import { localeOf } from "../http/locale.ts";
import { escapeHtml } from "../mail/send-mail.ts";
import { readMaintenance } from "../maintenance.ts";
import { type AllowInline, plainPage } from "./plain-page.ts";

const copy = defineCopy({
  en: {
    title: (brand: string) => `${brand} is being restored`,
    lead: "Something broke, and we are bringing the site back from a backup. Nobody can use it until that is done.",
    kept: "What you wrote and could not send waits on your device. Please come back in an hour.",
  },
  es: {
    title: (brand) => `Estamos recuperando ${brand}`,
    lead: "Algo se rompió y estamos recuperando el sitio desde una copia. Hasta entonces nadie puede usarlo.",
    kept: "Lo que escribiste y no pudiste enviar espera en tu dispositivo. Vuelve dentro de una hora.",
  },
});

/** Marks an answer of this kind. */
export const KEPT_OUT_HEADER = "x-maintenance";

const RETRY_AFTER_SECONDS = 300;

/** Files, which touch no member; a friend's page, which reads no database; and /status, which says 503 by itself. */
const PASSES =
  /^\/(assets|icons|manifest\.webmanifest|sw\.js|version_frontend\.json|api\/version|status|meet|api\/meet|\.well-known)(\/|$)/;

/** Undefined for what goes on. */
export async function maintenanceResponse(
  {
    env,
    request,
    path,
    brand,
  }: { readonly env: Env; readonly request: Request; readonly path: string; readonly brand: Brand },
  allowInline: AllowInline,
): Promise<Response | undefined> {
  if (PASSES.test(path)) return undefined;
  const { on, pass } = await readMaintenance(env);
  if (!on || (pass && request.headers.get(MAINTENANCE_PASS_HEADER) === pass)) return undefined;
  // Neither logged nor counted as a fault, about which somebody is doing something.
  const own = {
    "cache-control": "private, no-store",
    "retry-after": String(RETRY_AFTER_SECONDS),
    [KEPT_OUT_HEADER]: "1",
  };
  if (/^\/(api|trpc|ws)(\/|$)/.test(path)) {
    const { status, body } = toErrorResponse(new AppError("MAINTENANCE", { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    return Response.json(body, { status, headers: own });
  }
  const locale = localeOf(request);
  const texts = copy[locale];
  const title = texts.title(brand.name);
  const body = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(texts.lead)}</p><p>${escapeHtml(texts.kept)}</p>`;
  const headers = { ...own, vary: "accept-language, cookie" };
  return plainPage({ brand, locale, title, body, status: 503, headers }, allowInline);
}
