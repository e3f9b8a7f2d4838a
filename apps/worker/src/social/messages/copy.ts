import { defineCopy } from "../../platform/copy.ts";

export const messagesCopy = defineCopy({
  en: {
    newMessage: "You have a new message",
  },
  es: {
    newMessage: "Tienes un mensaje nuevo",
  },
});
