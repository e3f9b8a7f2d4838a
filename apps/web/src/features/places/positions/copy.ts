import { defineCopyHook } from "../../../format/i18n.ts";

export const usePositionCopy = defineCopyHook({
  en: {
    hiding: "You are hiding...",
    // The double space is the original wording, which a test quotes.
    visible: "You are  visible to others.",
    visibleToFew: "The guys you chose can see you.",
    notHiddenYet: "You're not hidden yet: no connection. We keep trying.",
    notShownYet: "You're still hidden: no connection. We keep trying.",
    hide: {
      title: "Hide from everyone?",
      text: "Nobody sees you on the map, in the tiles or anywhere else, from this second until you show yourself again.",
      nextTime: "From now on one tap does it.",
      confirm: "Hide me",
    },
    gps: (error: string) => `GPS: ${error}`,
    errors: {
      denied: "Geolocation denied, your device refused to provide location",
      unavailable: "Geolocation unable to provide location",
      timeout: "Geolocation timed out",
      other: "OTHER ERROR",
    },
  },
  es: {
    hiding: "Te estás ocultando...",
    visible: "Los demás pueden verte.",
    visibleToFew: "Pueden verte los que tú has elegido.",
    notHiddenYet: "Aún no estás oculto: no hay conexión. Seguimos intentándolo.",
    notShownYet: "Sigues oculto: no hay conexión. Seguimos intentándolo.",
    hide: {
      title: "¿Esconderte de todos?",
      text: "Nadie te verá, ni en el mapa, ni en el mosaico, ni en ningún otro sitio, desde este segundo hasta que vuelvas a mostrarte.",
      nextTime: "A partir de ahora basta un toque.",
      confirm: "Esconderme",
    },
    gps: (error: string) => `GPS: ${error}`,
    errors: {
      denied: "Geolocalización denegada: tu dispositivo se negó a dar la ubicación",
      unavailable: "La geolocalización no puede dar la ubicación",
      timeout: "La geolocalización tardó demasiado",
      other: "OTRO ERROR",
    },
  },
});
