import { defineCopyHook } from "../../../../format/i18n.ts";

/** Texts of the map chat alone; `chatCopy` has the texts of both chats. */
export const useBroadcastCopy = defineCopyHook({
  en: {
    declined: "You declined these pictures.",
    block: "Block",
    blockTitle: "Block this man?",
    blockText: "You won't see each other anywhere on this site. You can undo it in Account.",
    areaPlaceholder: "Talk to the men around you",
    noArea: "No messages found in your area.",
    noAreaHint: "Be the first. Everyone within about 70 miles (110 km) sees it.",
    end: "That's all folks...",
    hiding: "You are hiding...",
    hidingHint: "While you hide you can't read the map chat or write in it. Show yourself on the map to join in.",
    toMap: "To the map",
    discreet: "You're discreet: you can read here, but writing would show you to your whole area.",
    toSettings: "Who sees you",
    more: "More",
  },
  es: {
    declined: "No quisiste ver estas fotos.",
    block: "Bloquear",
    blockTitle: "¿Bloquear a este hombre?",
    blockText: "Ninguno de los dos verá al otro en este sitio. Puedes deshacerlo en los ajustes de tu cuenta.",
    areaPlaceholder: "Habla con los de tu zona",
    noArea: "No hay mensajes en tu zona.",
    noAreaHint: "Sé el primero. Lo verán todos en unos 110 km a la redonda.",
    end: "Eso es todo, amigos...",
    hiding: "Estás oculto...",
    hidingHint:
      "Mientras estés oculto no puedes leer el chat del mapa ni escribir en él. Muéstrate en el mapa para participar.",
    toMap: "Al mapa",
    discreet: "Modo discreto: puedes leer aquí, pero si escribieras te vería toda tu zona.",
    toSettings: "Quién te ve",
    more: "Más",
  },
});
