/** Styles of pages that the worker renders without the web application. */
import type { Brand } from "@lambda/brands";

/** The hash as a source of the content security policy. */
export async function inlineHash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}

export function plainPageStyle({ dark, light }: Brand): string {
  const colors = (palette: Brand["dark"]) =>
    `--surface:${palette.surface};--text:${palette.text};--muted:${palette.muted};--accent:${palette.accentText};--fill:${palette.accent}`;
  return `:root{${colors(dark)}}@media(prefers-color-scheme:light){:root{${colors(light)}}}
*{box-sizing:border-box}body{margin:0;background:var(--surface);color:var(--text);font:16px/1.6 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:clamp(32px,12vh,120px) 20px 48px}svg{width:44px;height:44px;fill:var(--fill)}
h1{font-size:28px;line-height:1.2;margin:20px 0 16px}p{margin:0 0 16px}.muted{color:var(--muted)}
a{color:var(--accent);display:inline-block;padding:10px 0;margin-right:20px}a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}`;
}
