/** Pages that the worker renders without the web application and without any script, in the brand's colors. */
import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { escapeHtml } from "../mail/send-mail.ts";

/** Gets the hashes of inline text that the content security policy must allow. */
export type AllowInline = (hashes: { readonly script: string; readonly style: string }) => void;

interface PlainPage {
  readonly brand: Brand;
  readonly locale: Locale;
  readonly title: string;
  /** HTML below the brand's mark. */
  readonly body: string;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
}

export async function plainPage(
  { brand, locale, title, body, status = 200, headers }: PlainPage,
  allowInline: AllowInline,
): Promise<Response> {
  const style = plainPageStyle(brand);
  allowInline({ script: await inlineHash(""), style: await inlineHash(style) });
  const html = `<!doctype html>
<html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style>
<main><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${escapeHtml(brand.mark)}"/></svg>
${body}
</main></html>`;
  return new Response(html, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers } });
}

/** The hash as a source of the content security policy. */
export async function inlineHash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}

function plainPageStyle({ dark, light }: Brand): string {
  const colors = (palette: Brand["dark"]) =>
    `--surface:${palette.surface};--text:${palette.text};--muted:${palette.muted};--accent:${palette.accentText};--fill:${palette.accent}`;
  return `:root{${colors(dark)}}@media(prefers-color-scheme:light){:root{${colors(light)}}}
*{box-sizing:border-box}body{margin:0;background:var(--surface);color:var(--text);font:16px/1.6 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:clamp(32px,12vh,120px) 20px 48px}svg{width:44px;height:44px;fill:var(--fill)}
h1{font-size:28px;line-height:1.2;margin:20px 0 16px}p{margin:0 0 16px}.muted{color:var(--muted)}
a{color:var(--accent);display:inline-block;padding:10px 0;margin-right:20px}a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}`;
}
