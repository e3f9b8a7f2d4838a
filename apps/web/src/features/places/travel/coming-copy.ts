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
    title: "De camino hacia aquí",
    from: (day: string) => `desde ${day}`,
    until: (day: string) => `hasta ${day}`,
    here: (days: string) => `Aquí de viaje ${days}.`,
    mine: "Tus viajes",
  },
});
