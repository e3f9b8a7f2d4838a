import type { Locale } from "@lambda/contract/accounts";
import { defineCopyHook } from "../../format/i18n.ts";

const listOf = (locale: Locale, wishes: readonly string[]) => new Intl.ListFormat(locale).format(wishes);

export const useTonightCopy = defineCopyHook({
  en: {
    title: "Tonight",
    goOut: "Out tonight?",
    goOutHint: "Tell the men who can see you, until an hour of your choice.",
    outUntil: (time: string, wishes: readonly string[]) => `Out until ${time}: ${listOf("en", wishes)}`,
    wishes: { coffee: "coffee", drink: "a drink", dance: "dancing", walk: "a walk", now: "right now" },
    what: "What for?",
    until: "Until",
    hint: "Your ring glows on the map until then. It ends by itself and nothing of it is kept. It tells no place beyond the one you show anyway.",
    save: "I am out",
    end: "End it now",
    count: (count: number) => `Tonight: ${count} here`,
  },
  es: {
    title: "Esta noche",
    goOut: "¿Sales esta noche?",
    goOutHint: "Díselo a quienes pueden verte, hasta la hora que elijas.",
    outUntil: (time: string, wishes: readonly string[]) => `Fuera hasta las ${time}: ${listOf("es", wishes)}`,
    wishes: { coffee: "un café", drink: "una copa", dance: "bailar", walk: "un paseo", now: "ahora mismo" },
    what: "¿Para qué?",
    until: "Hasta",
    hint: "Tu anillo brilla en el mapa hasta entonces. Acaba solo y no queda nada guardado. No dice más lugar que el que ya muestras.",
    save: "He salido",
    end: "Terminar ya",
    count: (count: number) => `Esta noche: ${count} aquí`,
  },
});
