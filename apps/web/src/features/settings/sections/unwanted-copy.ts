import { defineCopy } from "@lambda/contract/copy";

export const unwantedCopy = defineCopy({
  en: {
    words: {
      title: "Words you do not want in first messages",
      text: "A first message that contains one of them is kept from you, and so is everything that follows until you write to the sender. The sender is not told.",
      label: "Word",
      add: "Add word",
      remove: (word: string) => `Remove ${word}`,
    },
    addresses: {
      title: "Never meet",
      text: "If somebody joins later with one of these addresses, the two of you never see each other, and neither is told. It does not affect members who are already here, even if the address is theirs: block them on their profile. We do not keep the address, only a fingerprint of it; what you typed is shown on this device only.",
      label: "Email address",
      add: "Add address",
      anonymous: (day: string) => `An address, added on ${day}`,
      remove: (address: string) => `Remove ${address}`,
    },
    removeShort: "Remove",
  },
  es: {
    words: {
      title: "Palabras que no quieres en un primer mensaje",
      text: "Un primer mensaje que contenga una de ellas no te llega, ni lo que venga después hasta que tú le escribas. A quien lo escribió no se le dice.",
      label: "Palabra",
      add: "Añadir palabra",
      remove: (word) => `Quitar ${word}`,
    },
    addresses: {
      title: "No encontrarnos nunca",
      text: "Si alguien se registra más tarde con una de estas direcciones, no os veréis nunca, y a ninguno se le dice. No afecta a quien ya está aquí, aunque la dirección sea suya: bloquéalo en su perfil. No guardamos la dirección, solo una huella; lo que escribiste se ve solo en este dispositivo.",
      label: "Dirección de correo",
      add: "Añadir dirección",
      anonymous: (day) => `Una dirección, añadida el ${day}`,
      remove: (address) => `Quitar ${address}`,
    },
    removeShort: "Quitar",
  },
});
