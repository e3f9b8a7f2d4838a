import { defineCopyHook } from "../../../../format/i18n.ts";

export const useFirstContactCopy = defineCopyHook({
  en: {
    title: "Who may write first",
    text: "Men you already talk to, and your matches, can always write to you.",
    matchesOnly: "Matches only",
    matchesOnlyHelp: "Nobody else can begin a conversation with you.",
    checkedOnly: "Checked men only",
    checkedOnlyHelp: "Men with the badge of “Is it him?”.",
    ageMin: "From age",
    ageMax: "To age",
    distanceMaxMetres: "Within",
    any: "Any",
    years: (age: number) => `${age}`,
    kilometres: (km: number) => `${km} km (${Math.round(km * 0.621)} miles)`,
  },
  es: {
    title: "Quién puede escribir primero",
    text: "Los hombres con los que ya hablas y tus matches siempre pueden escribirte.",
    matchesOnly: "Solo matches",
    matchesOnlyHelp: "Nadie más puede empezar una conversación contigo.",
    checkedOnly: "Solo hombres verificados",
    checkedOnlyHelp: "Los que llevan el distintivo de «¿Es él?».",
    ageMin: "Desde la edad",
    ageMax: "Hasta la edad",
    distanceMaxMetres: "A menos de",
    any: "Cualquiera",
    years: (age: number) => `${age}`,
    kilometres: (km: number) => `${km} km (${Math.round(km * 0.621)} millas)`,
  },
});
