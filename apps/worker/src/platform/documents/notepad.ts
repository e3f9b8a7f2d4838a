/** The page that a quick exit opens: a plain notepad without scripts, further requests or storage. */
import { localeOf } from "../http/locale.ts";
import { type AllowInline, inlineHash } from "./plain-page.ts";

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:1.125rem/1.5 system-ui,sans-serif}main{box-sizing:border-box;display:grid;grid-template-rows:auto 1fr;gap:16px;max-width:34rem;min-height:100dvh;margin:auto;padding:24px 16px}h1{margin:0;font-size:1.375rem}textarea{border:0;padding:0;background:none;color:inherit;font:inherit;outline:0;resize:none}`;
const TEXTS = { en: ["Notes", "Write here"], es: ["Notas", "Escribe aquí"] } as const;

export async function notepadResponse(request: Request, allowInline: AllowInline): Promise<Response> {
  const locale = localeOf(request);
  const [title, write] = TEXTS[locale];
  allowInline({ script: "", style: await inlineHash(STYLE) });
  const html = `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main><h1>${title}</h1><textarea aria-label="${write}" placeholder="${write}"></textarea></main></body></html>`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=86400",
      vary: "accept-language",
    },
  });
}
