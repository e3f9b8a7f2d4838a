import { defineCopy } from "@lambda/contract/copy";

export const unwantedCopy = defineCopy({
  en: {
    words: {
      title: "Words you do not want to read first",
      text: "A first message with one of them is kept from you, and so is what follows until you write. Whoever wrote it is not told.",
      label: "Word",
      add: "Add word",
      remove: (word: string) => `Remove ${word}`,
    },
    addresses: {
      title: "Never meet",
      text: "Whoever joins later with one of these addresses and you never see each other, and neither is told. It does nothing about members who are here already, not even when the address is theirs: for them there is Block on the profile. We keep no address, only a mark of it; what you typed is shown on this device alone.",
      label: "Email address",
      add: "Add address",
      anonymous: (day: string) => `An address, added on ${day}`,
      remove: (address: string) => `Remove ${address}`,
    },
    removeShort: "Remove",
  },
  es: {
    words: {
      title: "Palabras que no quieres leer primero",
      text: "Un primer mensaje con una de ellas no te llega, ni lo que venga después hasta que tú escribas. A quien lo escribió no se le dice.",
      label: "Palabra",
      add: "Añadir palabra",
      remove: (word) => `Quitar ${word}`,
    },
    addresses: {
      title: "No encontrarse nunca",
      text: "Quien entre más tarde con una de estas direcciones y tú no os veréis nunca, y a ninguno se le dice. No hace nada con quien ya está aquí, aunque la dirección sea suya: para él está Bloquear en su perfil. No guardamos la dirección, solo una marca; lo que escribiste se ve solo en este dispositivo.",
      label: "Dirección de correo",
      add: "Añadir dirección",
      anonymous: (day) => `Una dirección, añadida el ${day}`,
      remove: (address) => `Quitar ${address}`,
    },
    removeShort: "Quitar",
  },
});
