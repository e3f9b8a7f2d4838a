import type { Locale } from "@lambda/contract/accounts";
import { hourEs } from "../../format/hour-es.ts";
import { defineCopyHook } from "../../format/i18n.ts";

const listOf = (locale: Locale, wishes: readonly string[]) => new Intl.ListFormat(locale).format(wishes);

export const useTonightCopy = defineCopyHook({
  en: {
    title: { today: "Today", tonight: "Tonight" },
    goOut: { today: "Out today?", tonight: "Out tonight?" },
    goOutHint: "Let guys who can see you know, until the hour you pick.",
    outUntil: (time: string, wishes: readonly string[]) => `Out until ${time}: ${listOf("en", wishes)}`,
    wishes: { coffee: "coffee", drink: "a drink", dance: "dancing", walk: "a walk", now: "right now" },
    what: "What for?",
    until: "Until",
    hint: "Your ring glows on the map until then. It ends by itself, and we keep nothing. Shows no more than your usual spot.",
    save: "I'm out",
    end: "End it now",
    count: {
      today: (count: number) => `Out today: ${count} here`,
      tonight: (count: number) => `Out tonight: ${count} here`,
    },
  },
  es: {
    title: { today: "Hoy", tonight: "Esta noche" },
    goOut: { today: "¿Sales hoy?", tonight: "¿Sales esta noche?" },
    goOutHint: "Avísales a los que te pueden ver, hasta la hora que elijas.",
    outUntil: (time: string, wishes: readonly string[]) => `Fuera hasta ${hourEs(time)}: ${listOf("es", wishes)}`,
    wishes: { coffee: "un café", drink: "un trago", dance: "bailar", walk: "un paseo", now: "ahora mismo" },
    what: "¿Para qué?",
    until: "Hasta",
    hint: "Tu anillo brilla en el mapa hasta entonces. Se acaba solo y no guardamos nada. No muestra más que tu lugar de siempre.",
    save: "Ya salí",
    end: "Terminar ya",
    count: {
      today: (count: number) => `Salen hoy: ${count} aquí`,
      tonight: (count: number) => `Salen esta noche: ${count} aquí`,
    },
  },
});
