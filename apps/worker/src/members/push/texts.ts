import type { NotificationKind } from "@lambda/contract/notifications";

type Locale = "en" | "es";

/** What a lock screen may show: which kind of news, of whom and about what never. */
const BODIES: Record<NotificationKind, Record<Locale, string>> = {
  match: { en: "You have a new match", es: "Tienes un nuevo match" },
  like: { en: "Somebody likes you", es: "Le gustas a alguien" },
  message: { en: "You have a new message", es: "Tienes un mensaje nuevo" },
  picture: { en: "There is news about a picture", es: "Hay novedades sobre una foto" },
  crop: { en: "Somebody helped with a photo", es: "Alguien te ha ayudado con una foto" },
  album: { en: "There is news about an album", es: "Hay novedades sobre un álbum" },
  report: { en: "There is news about a report", es: "Hay novedades sobre una denuncia" },
  appeal: { en: "There is news about an appeal", es: "Hay novedades sobre un recurso" },
  jury: { en: "The community asks for your vote", es: "La comunidad te pide tu voto" },
  exposure: { en: "You have a new notice", es: "Tienes un aviso nuevo" },
  standing: { en: "You have a new notice", es: "Tienes un aviso nuevo" },
  reminder: { en: "You asked to be reminded", es: "Pediste que te lo recordáramos" },
  game: { en: "There is news in a game", es: "Hay novedades en un juego" },
};

const MESSAGES_URL = "/chat/personal";
const NOTIFICATIONS_URL = "/notifications";

export function pushText(kind: NotificationKind, locale: Locale): { body: string; url: string } {
  return { body: BODIES[kind][locale], url: kind === "message" ? MESSAGES_URL : NOTIFICATIONS_URL };
}
