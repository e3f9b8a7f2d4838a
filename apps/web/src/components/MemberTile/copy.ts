import { defineCopy } from "@lambda/contract/copy";

export const memberTileCopy = defineCopy({
  en: {
    online: "online",
    liked: "you like him",
    unread: "unread message",
  },
  es: {
    online: "en línea",
    liked: "te gusta",
    unread: "mensaje sin leer",
  },
});
