import { defineCopy } from "@lambda/contract/copy";

export const memberTileCopy = defineCopy({
  en: {
    online: "online",
    liked: "you like him",
    unread: "unread message",
    tonight: "out tonight",
    checked: "checked",
  },
  es: {
    online: "en línea",
    liked: "te gusta",
    unread: "mensaje sin leer",
    tonight: "sale esta noche",
    checked: "verificado",
  },
});
