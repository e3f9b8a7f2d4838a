import { isolate } from "@lambda/contract/isolate";
import { defineCopyHook } from "../../../../format/i18n.ts";

export const useCardCopy = defineCopyHook({
  en: {
    online: "online",
    isNew: "New",
    end: "You've reached the end!",
    endHint: "You've seen everyone who fits. Change your filters, or start over with the ones you skipped.",
    retry: "Try again",
    again: "Start over",
    skip: "Skip",
    view: "View Profile / Chat",
    undo: "Undo",
    card: (words: string) => `Card: ${words}`,
    judged: { LIKE: "Nice", DISLIKE: "Meh", UNDETERMINED: "Skipped" },
    judgedName: (verdict: string, name: string) => `${verdict}: ${isolate(name)}`,
    keys: "Arrow keys: right is Nice, left is Meh, down skips, U undoes.",
    noText: "He hasn't written anything yet. Ask him.",
  },
  es: {
    online: "en línea",
    isNew: "Nuevo",
    end: "¡Llegaste al final!",
    endHint: "Ya viste a todos los que encajan. Cambia los filtros, o empieza de nuevo con los que saltaste.",
    retry: "Reintentar",
    again: "Empezar de nuevo",
    skip: "Saltar",
    view: "Ver perfil / Chat",
    undo: "Deshacer",
    card: (words: string) => `Tarjeta: ${words}`,
    judged: { LIKE: "Me gusta", DISLIKE: "Bah", UNDETERMINED: "Saltado" },
    judgedName: (verdict, name) => `${verdict}: ${isolate(name)}`,
    keys: "Flechas: derecha es Me gusta, izquierda es Bah, abajo salta, U deshace.",
    noText: "Aún no ha escrito nada. Pregúntale.",
  },
});
