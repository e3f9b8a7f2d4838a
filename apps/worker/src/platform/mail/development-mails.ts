import type { Brand } from "@lambda/brands";
import type { Env } from "../env.ts";
import { escapeHtml, type Mail } from "./send-mail.ts";

/** Development only: keeps sent mails so that a developer can open a login link. */
const PREFIX = "development-mail/";
const MAILS_SHOWN = 20;

interface StoredMail extends Mail {
  readonly brand: string;
  readonly sent: string;
}

export async function storeDevelopmentMail(env: Env, brand: Brand, mail: Mail): Promise<void> {
  const sent = new Date();
  // Sorts the newest first in R2's alphabetical listing.
  const order = String(8_640_000_000_000 - sent.getTime()).padStart(13, "0");
  const stored: StoredMail = { ...mail, brand: brand.id, sent: sent.toISOString() };
  await env.PICTURES.put(`${PREFIX}${order}-${crypto.randomUUID()}`, JSON.stringify(stored));
}

export async function listDevelopmentMails(env: Env): Promise<StoredMail[]> {
  const { objects } = await env.PICTURES.list({ prefix: PREFIX, limit: MAILS_SHOWN });
  const bodies = await Promise.all(objects.map((object) => env.PICTURES.get(object.key)));
  return Promise.all(bodies.filter((body) => body !== null).map((body) => body.json<StoredMail>()));
}

export function renderMailPage(mails: readonly StoredMail[]): string {
  const items = mails.map(
    (
      mail,
    ) => `<article><h2>${escapeHtml(mail.subject)}</h2><p>${mail.sent} &middot; ${escapeHtml(mail.brand)} &rarr; ${escapeHtml(mail.to)}</p>
      <pre>${escapeHtml(mail.text).replace(/(https?:\/\/\S+)/g, '<a href="$1">$1</a>')}</pre></article>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Development mail</title><h1>Development mail</h1>${items.join("") || "<p>No mail yet.</p>"}</html>`;
}
