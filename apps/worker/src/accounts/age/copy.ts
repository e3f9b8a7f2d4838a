import { defineCopy } from "@lambda/contract/copy";

export const ageCopy = defineCopy({
  en: {
    closedTitle: (brand: string) => `${brand} is not open where you are`,
    closedWhy: (brand: string) =>
      `The law of the place you are in asks things of sites like ours that ${brand} does not do there. So nobody can join from there for now.`,
    closedStored: "We took the place from this request alone. It was not stored.",
    closedMembers: "Members log in as always:",
    closedReport: "Whoever wants to report something reaches us here:",
    logIn: "Log in",
    contact: "Contact",
    legalNotice: "Legal notice",
    terms: "Terms and privacy",
    joinNeedsProof: "The law of the place you are in asks for a proof of age before you join.",
  },
  es: {
    closedTitle: (brand) => `${brand} no está abierto donde estás`,
    closedWhy: (brand) =>
      `La ley del lugar donde estás exige a sitios como el nuestro cosas que ${brand} no hace allí. Por eso, de momento nadie puede registrarse desde ese lugar.`,
    closedStored: "Tomamos el lugar solo de esta petición. No se guardó.",
    closedMembers: "Los miembros entran como siempre:",
    closedReport: "Quien quiera avisar de algo nos encuentra aquí:",
    logIn: "Entrar",
    contact: "Contacto",
    legalNotice: "Aviso legal",
    terms: "Condiciones y privacidad",
    joinNeedsProof: "La ley del lugar donde estás exige una prueba de edad antes de registrarte.",
  },
});
