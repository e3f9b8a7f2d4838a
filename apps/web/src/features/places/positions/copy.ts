import { defineCopyHook } from "../../../format/i18n.ts";

export const usePositionCopy = defineCopyHook({
  en: {
    hiding: "You are hiding...",
    // The double space is the original wording, which a test quotes.
    visible: "You are  visible to others.",
    visibleToFew: "The guys you chose can see you.",
    notHiddenYet: "Not hidden yet. Still trying.",
    notShownYet: "Still hidden. Still trying.",
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
    visibleToFew: "Te ven los que elegiste.",
    notHiddenYet: "Aún te ven. Insistimos.",
    notShownYet: "Sigues oculto. Insistimos.",
    hide: {
      title: "¿Esconderte de todos?",
      text: "Nadie te ve, ni en el mapa, ni en el mosaico, ni en ninguna parte, desde este segundo hasta que vuelvas a mostrarte.",
      nextTime: "Desde ahora basta un toque.",
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
