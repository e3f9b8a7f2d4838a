/** Development only: the mails that were sent, so that a developer can open a login link. */
import type { Env } from "../env.ts";
import { DEVELOPMENT_PREFIX, escapeHtml, type StoredMail } from "./send-mail.ts";

const MAILS_SHOWN = 20;

export async function listDevelopmentMails(env: Env): Promise<StoredMail[]> {
  const { objects } = await env.PICTURES.list({ prefix: DEVELOPMENT_PREFIX, limit: MAILS_SHOWN });
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
