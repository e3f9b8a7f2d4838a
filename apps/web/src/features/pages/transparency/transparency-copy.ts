import { defineCopy } from "../../../format/i18n.ts";

const HOUR_MS = 3_600_000;

export const transparencyCopy = defineCopy({
  en: {
    title: "Transparency",
    lead: "What members reported, what was done about it, and how to check that we did not change the record afterwards.",
    reports: "Reports",
    decided: "Decided",
    median: "Median time to a decision",
    time: (ms: number) =>
      ms < HOUR_MS
        ? "< 1 h"
        : ms < 48 * HOUR_MS
          ? `${Math.round(ms / HOUR_MS)} h`
          : `${Math.round(ms / HOUR_MS / 24)} days`,
    appeals: "Appeals",
    reversals: "Reversed on appeal",
    actions: "Actions taken",
    kinds: { warn: "Warnings", hide_picture: "Pictures hidden", suspend: "Suspensions", ban: "Bans" },
    rules: "Reports by rule",
    chain: "The record",
    chainText:
      "Every report, verdict and action is an entry in one list. Each entry holds a fingerprint (SHA-256) of the one before, so that changing or removing any of them would break all that follow. No entry names anyone.",
    head: (seq: number) => `Newest entry: no. ${seq}, fingerprint`,
    check: "Check the whole record on this device",
    checking: (count: number) => `${count} entries checked`,
    sound: (count: number) => `Sound: all ${count} entries fit together.`,
    broken: (seq: number) => `Broken at entry ${seq}. Please tell us, and keep a copy.`,
    own: "Your own case",
    ownText: "Paste the case's reference from the Bad Boy Dungeon, or open it from there.",
    reference: "Case reference",
    verify: "Check my case",
    none: "No case of yours has this reference.",
    caseSound: (count: number) => `${count} entries are about your case, and each is part of the record.`,
    entry: (seq: number) => `No. ${seq}`,
    privateSound: "Its private part fits too.",
  },
  es: {
    title: "Transparencia",
    lead: "Qué denunciaron los miembros, qué se hizo y cómo comprobar que no cambiamos después el registro.",
    reports: "Denuncias",
    decided: "Decididas",
    median: "Tiempo mediano hasta la decisión",
    time: (ms: number) =>
      ms < HOUR_MS
        ? "< 1 h"
        : ms < 48 * HOUR_MS
          ? `${Math.round(ms / HOUR_MS)} h`
          : `${Math.round(ms / HOUR_MS / 24)} días`,
    appeals: "Apelaciones",
    reversals: "Revocadas en apelación",
    actions: "Medidas tomadas",
    kinds: { warn: "Advertencias", hide_picture: "Fotos ocultas", suspend: "Suspensiones", ban: "Expulsiones" },
    rules: "Denuncias por norma",
    chain: "El registro",
    chainText:
      "Cada denuncia, veredicto y medida es una entrada de una sola lista. Cada entrada lleva una huella (SHA-256) de la anterior: cambiar o quitar una rompería todas las siguientes. Ninguna nombra a nadie.",
    head: (seq: number) => `Última entrada: n.º ${seq}, huella`,
    check: "Comprobar todo el registro en este dispositivo",
    checking: (count: number) => `${count} entradas comprobadas`,
    sound: (count: number) => `Íntegro: las ${count} entradas encajan.`,
    broken: (seq: number) => `Roto en la entrada ${seq}. Avísanos y guarda una copia.`,
    own: "Tu propio caso",
    ownText: "Pega la referencia del caso que ves en el calabozo, o ábrelo desde allí.",
    reference: "Referencia del caso",
    verify: "Comprobar mi caso",
    none: "Ningún caso tuyo tiene esta referencia.",
    caseSound: (count: number) => `${count} entradas tratan de tu caso, y cada una forma parte del registro.`,
    entry: (seq: number) => `N.º ${seq}`,
    privateSound: "Su parte privada también encaja.",
  },
});
