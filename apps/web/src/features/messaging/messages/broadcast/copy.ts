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
    blockText: "No se verán en ninguna parte de este sitio. Puedes deshacerlo en Cuenta.",
    areaPlaceholder: "Habla con los que están cerca",
    noArea: "No hay mensajes en tu zona.",
    noAreaHint: "Sé el primero. Lo ven todos a unos 110 km a la redonda.",
    end: "Eso es todo, amigos...",
    hiding: "Estás oculto...",
    hidingHint:
      "Mientras te ocultas no puedes leer el chat del mapa ni escribir en él. Muéstrate en el mapa para entrar.",
    toMap: "Al mapa",
    discreet: "Modo discreto: aquí puedes leer, pero al escribir te vería toda tu zona.",
    toSettings: "Quién te ve",
    more: "Más",
  },
});
