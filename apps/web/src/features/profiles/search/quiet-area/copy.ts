import { defineCopyHook } from "../../../../format/i18n.ts";

export const useQuietAreaCopy = defineCopyHook({
  en: {
    title: "It's quiet around you.",
    within: (count: number, distance: string) => `${count === 1 ? "man" : "men"} within ${distance}`,
    counted:
      "Counted in areas at least 70 miles (110 km) wide with three or more guys, so a number never points to anyone.",
    nobody: (brand: string) => `Nobody else is on ${brand}'s map right now, or too few to count.`,
    invite: "Get it started here",
    inviteText: "Send a link to someone you'd like to meet here. It gives the area in whole degrees and names nobody.",
    inviteAct: "Invite by link",
    copied: "The link is copied.",
    byHand: (url: string) => `Copy this link: ${url}`,
    words: "Latest in the map chat",
    noWords: "Nobody's said anything around here lately. What you write waits for the next guy who comes by.",
    speak: "Say something first",
    chat: "Open the map chat",
  },
  es: {
    title: "Todo tranquilo por aquí.",
    within: (count: number, distance: string) => `${count === 1 ? "hombre" : "hombres"} a menos de ${distance}`,
    counted: "Se cuenta por zonas de al menos 110 km y tres hombres o más, para que un número no señale a nadie.",
    nobody: (brand: string) => `Ahora no hay nadie más en el mapa de ${brand}, o muy pocos para contarlos.`,
    invite: "Empieza tú aquí",
    inviteText:
      "Mándale un enlace a alguien que te gustaría ver por aquí. Da la zona en grados enteros y no nombra a nadie.",
    inviteAct: "Invitar con un enlace",
    copied: "Enlace copiado.",
    byHand: (url: string) => `Copia este enlace: ${url}`,
    words: "Lo último del chat del mapa",
    noWords: "Últimamente nadie ha dicho nada por aquí. Lo que escribas espera al próximo que pase.",
    speak: "Di algo primero",
    chat: "Abrir el chat del mapa",
  },
});
