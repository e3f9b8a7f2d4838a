import { defineCopyHook } from "../../format/i18n.ts";

export const useVisitorCopy = defineCopyHook({
  en: {
    visitor: {
      lead: (city: string) =>
        `A map, a chat and a handful of games for gay men, in ${city} and wherever you are. Run by volunteers, free, without ads.`,
      rings: "Men on the map in the last day, by district, never fewer than ten. © OpenStreetMap",
      register: ["Register", "Register or reactivate your account on this site"],
      login: ["Login", "Already one of us"],
      promises: [
        [
          "Near, never exact",
          "Your phone rounds where you are before it tells us, and guys see a random point in that area. Exact only when you ask for it: what we don't have, nobody can take from us.",
        ],
        [
          "Show up or disappear",
          "Drag your marker to the bar you're heading for, or hide with one tap. It works that very second.",
        ],
        [
          "No means no, at once",
          "A block works both ways and everywhere: map, chat, pictures, games. And a jury of members decides what crosses the line.",
        ],
        [
          "Yours to take, yours to burn",
          "Download everything you ever wrote here, or delete it. After 28 days nothing is left.",
        ],
      ],
      small: "For men aged 18 and over.",
      terms: "Terms",
      privacy: "Privacy",
      about: "About us",
      support: "Support",
      removeImage: "Remove an image",
      notice: "Report illegal content",
      legalNotice: "Legal notice",
    },
  },
  es: {
    visitor: {
      lead: (city: string) =>
        `Un mapa, un chat y unos cuantos juegos para hombres gay, en ${city} y donde estés. Lo llevan voluntarios, gratis y sin anuncios.`,
      rings: "Hombres en el mapa en el último día, por distritos, nunca menos de diez. © OpenStreetMap",
      register: ["Registro", "Regístrate o reactiva tu cuenta en este sitio"],
      login: ["Entrar", "Ya eres de los nuestros"],
      promises: [
        [
          "Cerca, nunca exacto",
          "Tu teléfono redondea dónde estás antes de decírnoslo, y te ven en un punto al azar de esa zona. Exacto solo cuando tú lo pides: lo que no tenemos, nadie nos lo puede quitar.",
        ],
        [
          "Aparece o desaparece",
          "Arrastra tu marcador al bar al que vas, o escóndete con un toque. Funciona en ese mismo segundo.",
        ],
        [
          "No es no, al momento",
          "Un bloqueo vale para los dos y en todas partes: mapa, chat, fotos, juegos. Y un jurado de miembros decide qué se pasa de la raya.",
        ],
        [
          "Tuyo para llevar, tuyo para quemar",
          "Descarga todo lo que escribiste aquí, o bórralo. Después de 28 días no queda nada.",
        ],
      ],
      small: "Para hombres de 18 años o más.",
      terms: "Condiciones",
      privacy: "Privacidad",
      about: "Quiénes somos",
      support: "Ayuda",
      removeImage: "Retirar una imagen",
      notice: "Avisar de contenido ilegal",
      legalNotice: "Aviso legal",
    },
  },
});
