import { defineCopy } from "@lambda/contract/copy";

export const loginMailCopy = defineCopy({
  en: {
    subject: (brand: string) => `Your login link for ${brand}`,
    lead: (brand: string) => `Use this link to log in to ${brand}. It works once, for 10 minutes.`,
    digits: "Or type this code into the page where you asked for it:",
    keep: (brand: string) => `Tell nobody the code: no one from ${brand} ever asks for it.`,
    ignore: "Didn't ask for it? Ignore this mail: nobody can log in without the link or the code.",
    action: "Log in",
  },
  es: {
    subject: (brand) => `Tu enlace para entrar en ${brand}`,
    lead: (brand) => `Usa este enlace para entrar en ${brand}. Sirve una sola vez, durante 10 minutos.`,
    digits: "O escribe este código en la página donde lo pediste:",
    keep: (brand) => `No le des el código a nadie: en ${brand} nunca te lo pedirá nadie.`,
    ignore: "¿No lo pediste? Ignora este correo: sin el enlace o el código nadie puede entrar.",
    action: "Entrar",
  },
});
