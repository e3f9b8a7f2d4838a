import { defineCopy } from "@lambda/contract/copy";

/** What others may see over a shoulder: the maker's list, the friend's lock screen, and a page before its script has come. */
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
