import { defineCopy } from "@lambda/contract/copy";

export const quietAreaCopy = defineCopy({
  en: {
    title: "It is quiet around you.",
    within: (count: number, distance: string) => `${count === 1 ? "member" : "members"} within ${distance}`,
    counted:
      "Counted by areas of at least 70 miles (110 km) and of three members and more, so that a number finds nobody.",
    nobody: (brand: string) => `Nobody else is on ${brand}'s map right now, or too few to be counted.`,
    invite: "Be the one who began it here",
    inviteText: "Send a link to somebody you would like to meet here. It names the area in whole degrees, and nobody.",
    inviteAct: "Invite by a link",
    copied: "The link is copied.",
    byHand: (url: string) => `Copy this link: ${url}`,
    words: "Last words of the map chat",
    noWords: "Nobody has said anything around here lately. What stands there waits for whoever comes.",
    speak: "Say the first word",
    chat: "Open the map chat",
  },
  es: {
    title: "Por aquí está tranquilo.",
    within: (count: number, distance: string) => `${count === 1 ? "miembro" : "miembros"} a menos de ${distance}`,
    counted: "Contados por zonas de al menos 110 km y de tres miembros o más, para que un número no señale a nadie.",
    nobody: (brand: string) => `Ahora no hay nadie más en el mapa de ${brand}, o son demasiado pocos para contarlos.`,
    invite: "Empieza tú la zona",
    inviteText:
      "Manda un enlace a quien te gustaría encontrar aquí. Dice la zona en grados enteros y a nadie por su nombre.",
    inviteAct: "Invitar con un enlace",
    copied: "El enlace está copiado.",
    byHand: (url: string) => `Copia este enlace: ${url}`,
    words: "Lo último del chat del mapa",
    noWords: "Últimamente nadie ha dicho nada por aquí. Lo que escribas espera a quien venga.",
    speak: "Di la primera palabra",
    chat: "Abrir el chat del mapa",
  },
});
