import { defineCopy } from "@lambda/contract/copy";

/** Separate from the page's texts because it is loaded with every screen. */
export const watchCopy = defineCopy({
  en: {
    left: (country: string) => `You have left ${country}. Everything is as it was before.`,
  },
  es: {
    left: (country: string) => `Has salido de ${country}. Todo vuelve a estar como antes.`,
  },
});
