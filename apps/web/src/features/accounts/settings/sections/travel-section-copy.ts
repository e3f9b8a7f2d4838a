import { defineCopyHook } from "../../../../format/i18n.ts";

export const useTravelSectionCopy = defineCopyHook({
  en: {
    title: "Travel",
    text: "Your trips, which you can show to members there, and what protects you in countries where being gay is punished.",
    trips: "Your trips",
    here: "Where being gay is punished",
  },
  es: {
    title: "Viajes",
    text: "Tus viajes, que puedes mostrar a los miembros de allí, y lo que te protege en países donde se castiga ser gay.",
    trips: "Tus viajes",
    here: "Donde se castiga ser gay",
  },
});
