import { defineCopyHook } from "../../../format/i18n.ts";

export const useComingCopy = defineCopyHook({
  en: {
    title: "On their way here",
    from: (day: string) => `from ${day}`,
    until: (day: string) => `until ${day}`,
    here: (days: string) => `Here on a trip ${days}.`,
    mine: "Your trips",
  },
  es: {
    title: "Vienen para acá",
    from: (day: string) => `desde ${day}`,
    until: (day: string) => `hasta ${day}`,
    here: (days: string) => `De viaje aquí ${days}.`,
    mine: "Tus viajes",
  },
});
