import { defineCopy } from "@lambda/contract/copy";

/** Texts that bystanders may see: in the maker's notifications, on the friend's lock screen, and on the page before its script has loaded. */
export const meetsCopy = defineCopy({
  en: {
    reminder: "You asked for a reminder.",
    pageTitle: "A plan",
    needsScript:
      "If nothing more appears here, open the link on another device: this page needs JavaScript and a newer browser.",
    pushTitle: "A plan",
    pushText: "Please open the page now.",
  },
  es: {
    reminder: "Pediste que te lo recordáramos.",
    pageTitle: "Un plan",
    needsScript:
      "Si aquí no aparece nada más, abre el enlace en otro dispositivo: esta página necesita JavaScript y un navegador más nuevo.",
    pushTitle: "Un plan",
    pushText: "Abre la página ahora, por favor.",
  },
});
