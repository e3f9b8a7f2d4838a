import { defineCopy } from "./copy.ts";

/** Names of the rules as shown in reports, games, the dungeon, the dashboard, mails and the transparency page. */
export const ruleCopy = defineCopy({
  en: {
    harassment: "Harassment",
    hate: "Hate",
    spam: "Spam",
    scam: "Scam",
    impersonation: "Pretending to be someone else",
    bot: "Not a person",
    explicit: "Explicit or forbidden picture",
    behaviour: "Bad behavior in person",
    other: "Something else",
    minor: "A minor is involved",
    threat: "Threat of violence",
    intimate: "Intimate pictures without consent",
  },
  es: {
    harassment: "Acoso",
    hate: "Odio",
    spam: "Spam",
    scam: "Estafa",
    impersonation: "Hacerse pasar por otro",
    bot: "No es una persona",
    explicit: "Foto explícita o prohibida",
    behaviour: "Mal comportamiento en persona",
    other: "Otra cosa",
    minor: "Hay un menor implicado",
    threat: "Amenaza de violencia",
    intimate: "Imágenes íntimas sin permiso",
  },
});
