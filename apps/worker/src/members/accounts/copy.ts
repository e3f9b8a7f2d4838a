import { defineCopy } from "@lambda/contract/copy";

export const loginMailCopy = defineCopy({
  en: {
    subject: (brand: string) => `Your login link for ${brand}`,
    lead: (brand: string) => `Use this link to log in to ${brand}. It works once, for 10 minutes.`,
    ignore: "If you did not ask for it, ignore this mail: nobody can log in without the link.",
    action: "Log in",
  },
  es: {
    subject: (brand) => `Tu enlace para entrar en ${brand}`,
    lead: (brand) => `Usa este enlace para entrar en ${brand}. Sirve una sola vez, durante 10 minutos.`,
    ignore: "Si no lo has pedido, ignora este correo: sin el enlace nadie puede entrar.",
    action: "Entrar",
  },
});
