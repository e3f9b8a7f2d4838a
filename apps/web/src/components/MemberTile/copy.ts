import { defineCopyHook } from "../../format/i18n.ts";

export const useMemberTileCopy = defineCopyHook({
  en: {
    online: "online",
    isNew: "New",
    liked: "you like him",
    unread: "unread message",
    tonight: "out tonight",
    checked: "checked",
  },
  es: {
    online: "en línea",
    isNew: "Nuevo",
    liked: "te gusta",
    unread: "mensaje sin leer",
    tonight: "sale esta noche",
    checked: "verificado",
  },
});
