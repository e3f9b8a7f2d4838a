/** What a lock screen may show: the kind of news, never who or what it is about. */
import { defineCopy } from "@lambda/contract/copy";
import type { NotificationKind } from "@lambda/contract/notifications";

export const pushCopy = defineCopy<Record<NotificationKind, string>>({
  en: {
    match: "You have a new match",
    like: "Someone likes you",
    message: "You have a new message",
    picture: "There's news about a picture",
    crop: "Someone helped with a picture",
    album: "There's news about an album",
    report: "There's news about a report",
    appeal: "There's news about an appeal",
    jury: "The community asks for your vote",
    exposure: "You have a new notice",
    standing: "You have a new notice",
    reminder: "You asked for a reminder",
    plan: "You asked for a reminder",
    security: "There's news about your login",
    game: "There's news in a game",
  },
  es: {
    match: "Tienes un match nuevo",
    like: "Le gustas a alguien",
    message: "Tienes un mensaje nuevo",
    picture: "Hay novedades sobre una foto",
    crop: "Alguien te ayudó con una foto",
    album: "Hay novedades sobre un álbum",
    report: "Hay novedades sobre una denuncia",
    appeal: "Hay novedades sobre una apelación",
    jury: "La comunidad te pide tu voto",
    exposure: "Tienes un aviso nuevo",
    standing: "Tienes un aviso nuevo",
    reminder: "Pediste que te lo recordáramos",
    plan: "Pediste que te lo recordáramos",
    security: "Hay novedades sobre tu entrada",
    game: "Hay novedades en un juego",
  },
});

/** Shown for a moment, in place of a notification whose news are gone. */
export const goneCopy = defineCopy({ en: { nothingNew: "Nothing new" }, es: { nothingNew: "Nada nuevo" } });
