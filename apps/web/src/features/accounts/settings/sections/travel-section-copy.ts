import { defineCopyHook } from "../../../../format/i18n.ts";

export const useTravelSectionCopy = defineCopyHook({
  en: {
    title: "Travel",
    text: "Show guys there you're coming, and stay safe where being gay is punished.",
    trips: "Your trips",
    here: "Where being gay is punished",
  },
  es: {
    title: "Viajes",
    text: "Muéstrales a los de allá que vas, y cuídate donde se castiga ser gay.",
    trips: "Tus viajes",
    here: "Donde se castiga ser gay",
  },
});
