import { defineCopyHook } from "../../../format/i18n.ts";

export const useLegalNoticeCopy = defineCopyHook({
  en: {
    title: "How to reach us",
    lead: (brand: string, legalName: string) => `${brand} is run by the volunteers of the ${legalName}.`,
    operator: "Who runs this site",
    users: "For members and visitors",
    usersText: "Write to us, with an account or without: people read it and answer, not a machine.",
    form: "Contact form",
    authorities: "For authorities",
    authoritiesText:
      "The single point of contact for authorities of EU member states, the Commission and the Board (Digital Services Act, Art. 11), and for every other authority:",
    languages: (list: string) => `We answer in ${list}.`,
    representative: "Legal representative in the EU",
    none: "We are established in the EU and do not need one.",
    missing: "The operator has not published this yet.",
    reports: "Reporting content",
    reportsText:
      "Members report from a profile, a picture or a message. Each decision can be appealed once, free of charge; then somebody else decides.",
    notice: "Report illegal content, without an account",
    removeImage: "Remove an intimate image of you",
    transparency: "What was reported and decided",
    terms: "Terms of service",
    safety: "Safety policy",
  },
  es: {
    title: "Cómo contactar con nosotros",
    lead: (brand, legalName) => `${brand} lo llevan los voluntarios de ${legalName}.`,
    operator: "Quién lleva este sitio",
    users: "Para miembros y visitantes",
    usersText: "Escríbenos, con cuenta o sin ella: lo leen y responden personas, no una máquina.",
    form: "Formulario de contacto",
    authorities: "Para las autoridades",
    authoritiesText:
      "El punto único de contacto para las autoridades de los Estados miembros de la UE, la Comisión y la Junta (Reglamento de Servicios Digitales, art. 11), y para cualquier otra autoridad:",
    languages: (list) => `Respondemos en ${list}.`,
    representative: "Representante legal en la UE",
    none: "Estamos establecidos en la UE y no lo necesitamos.",
    missing: "Quien lleva el sitio aún no lo ha publicado.",
    reports: "Denunciar contenido",
    reportsText:
      "Los miembros denuncian desde un perfil, una foto o un mensaje. Cada decisión se puede apelar una vez, gratis; entonces decide otra persona.",
    notice: "Avisar de contenido ilegal, sin cuenta",
    removeImage: "Retirar una imagen íntima tuya",
    transparency: "Qué se denunció y se decidió",
    terms: "Condiciones del servicio",
    safety: "Política de seguridad",
  },
});
