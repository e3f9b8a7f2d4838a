import { defineCopy } from "@lambda/contract/copy";

export const messagesCopy = defineCopy({
  en: {
    newMessage: "You have a new message",
  },
  es: {
    newMessage: "Tienes un mensaje nuevo",
  },
});
