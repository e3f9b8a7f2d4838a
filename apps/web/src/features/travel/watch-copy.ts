import { defineCopy } from "@lambda/contract/copy";

/** Apart from the page's words: this is loaded beside every screen. */
export const watchCopy = defineCopy({
  en: {
    left: (country: string) => `You have left ${country}. Everything is as before.`,
  },
  es: {
    left: (country: string) => `Has salido de ${country}. Todo está como antes.`,
  },
});
