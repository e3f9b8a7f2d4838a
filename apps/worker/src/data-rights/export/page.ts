import type { Locale } from "@lambda/contract/accounts";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { NOBODY } from "@lambda/contract/messages";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import { EXPORT_SECTIONS, type ExportContext, type ExportRow, readSection } from "./sections.ts";

const WORDS = {
  en: {
    title: (brand: string) => `Your data at ${brand}`,
    lead: "Everything that you gave us and that we keep about you, as of",
    empty: "Nothing here.",
    you: "You",
    member: (id: unknown) => `Member ${id}`,
    everyone: "everyone near",
    nobody: "Someone not visible now",
    unsent: "(unsent)",
    sections: {
      account: "Account",
      profile: "Profile",
      health: "Health panel",
      position: "Position that others see",
      places: "Areas that stand for your places",
      sessions: "Devices that are logged in",
      pictures: "Pictures",
      albumGrants: "Who may see your private album",
      likes: "Members you rated",
      pictureLikes: "Pictures you rated",
      notes: "Your private notes",
      blocks: "Members you blocked",
      messages: "Messages",
      notifications: "Notifications",
      pushSubscriptions: "Devices with push messages",
      contactMessages: "Letters to the volunteers",
      reportsFiled: "Reports you filed",
      actionsAgainstYou: "Actions against you",
      appeals: "Your appeals",
      juryService: "Your service as a juror",
      credits: "Volunteer credits",
      gameVotes: "Your votes in games",
      cropSuggestions: "Crops you suggested",
    },
  },
  es: {
    title: (brand: string) => `Tus datos en ${brand}`,
    lead: "Todo lo que nos diste y lo que guardamos sobre ti, a fecha de",
    empty: "Aquí no hay nada.",
    you: "Tú",
    member: (id: unknown) => `Miembro ${id}`,
    everyone: "todos los de cerca",
    nobody: "Alguien ahora no visible",
    unsent: "(retirado)",
    sections: {
      account: "Cuenta",
      profile: "Perfil",
      health: "Panel de salud",
      position: "Posición que ven los demás",
      places: "Zonas que representan tus lugares",
      sessions: "Dispositivos con sesión",
      pictures: "Fotos",
      albumGrants: "Quién puede ver tu álbum privado",
      likes: "Miembros que valoraste",
      pictureLikes: "Fotos que valoraste",
      notes: "Tus notas privadas",
      blocks: "Miembros que bloqueaste",
      messages: "Mensajes",
      notifications: "Avisos",
      pushSubscriptions: "Dispositivos con avisos push",
      contactMessages: "Cartas a los voluntarios",
      reportsFiled: "Denuncias que hiciste",
      actionsAgainstYou: "Medidas contra ti",
      appeals: "Tus recursos",
      juryService: "Tu servicio como jurado",
      credits: "Créditos de voluntario",
      gameVotes: "Tus votos en los juegos",
      cropSuggestions: "Recortes que propusiste",
    },
  },
} satisfies Record<Locale, unknown>;

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%;margin:0 0 1rem}th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}th{width:12rem;font-weight:600}img{max-width:12rem;height:auto;margin:0 .5rem .5rem 0}small{color:#555}";

/** A page to read offline, without scripts. It lies beside the pictures in the archive. */
export async function* exportPage(ctx: ExportContext, id: number): AsyncGenerator<string> {
  const { locale } = await ctx.db.selectFrom("account").select("locale").where("id", "=", id).executeTakeFirstOrThrow();
  const words = WORDS[locale];
  const title = escapeHtml(words.title(ctx.brand.name));
  yield `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1><p>${words.lead} ${new Date(ctx.now).toISOString()}.</p>`;
  for (const section of EXPORT_SECTIONS) {
    const heading = words.sections[section.name as keyof typeof words.sections];
    yield `<h2>${escapeHtml(heading)}</h2>`;
    let empty = true;
    for await (const row of readSection(ctx, section, id)) {
      empty = false;
      if (section.name === "messages") yield messageHtml(row, id, words);
      else if (section.name === "pictures") yield `<img src="pictures/${row.id}.webp" alt="${row.id}" loading="lazy">`;
      else yield tableHtml(row);
    }
    if (empty) yield `<p><small>${words.empty}</small></p>`;
  }
  yield "</html>\n";
}

function messageHtml(row: ExportRow, id: number, words: (typeof WORDS)[Locale]): string {
  const name = (profile: unknown) =>
    profile === null
      ? words.everyone
      : profile === id
        ? words.you
        : profile === NOBODY
          ? words.nobody
          : words.member(profile);
  const text = row.tsUnsent === null ? escapeHtml(String(row.bodyText)) : words.unsent;
  return `<p><small>${row.tsCreated} &middot; ${name(row.senderId)} &rarr; ${name(row.recipientId)}</small><br>${text}</p>`;
}

function tableHtml(row: ExportRow): string {
  const lines = Object.entries(row)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => {
      const shown = name === "characteristics" ? characteristicsFromBits(Number(value)).join(", ") : String(value);
      return `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(shown)}</td></tr>`;
    });
  return `<table>${lines.join("")}</table>`;
}
