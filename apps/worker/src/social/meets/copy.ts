import { defineCopy } from "@lambda/contract/copy";

/** Texts that bystanders may see: in the maker's notifications, on the friend's lock screen, and on the page before its script has loaded. */
export const meetsCopy = defineCopy({
  en: {
    reminder: "You asked for a reminder.",
    pageTitle: "A plan",
    needsScript: "This page needs JavaScript.",
    pushTitle: "A plan",
    pushText: "Please open the page now.",
  },
  es: {
    reminder: "Pediste que te lo recordáramos.",
    pageTitle: "Un plan",
    needsScript: "Esta página necesita JavaScript.",
    pushTitle: "Un plan",
    pushText: "Abre la página ahora, por favor.",
  },
});
