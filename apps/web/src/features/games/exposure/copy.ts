import { defineCopyHook } from "../../../format/i18n.ts";

export const useHealthCopy = defineCopyHook({
  en: {
    intro:
      "If you tested positive, the men you were with may want to know. Choose them; each gets one anonymous notice at a random time within about two days.",
    promise: [
      "No link between you and the notice is stored anywhere, not even for staff.",
      "Each notice waits 4 to 52 hours, chosen at random, so its timing reveals nothing.",
      "It doesn't say who, when or what. A man who has talked with hardly anyone could still guess it was you. His notice waits up to two weeks, until he has talked with at least three guys, and otherwise never goes out.",
      "Nobody gets more than one notice a month, and nobody you blocked or who blocked you gets one.",
    ],
    choose: "Who should know?",
    everyone: "Everyone I chatted with in the last",
    days: (days: number) => `${days} days`,
    nobody: "Chosen",
    none: "You can notify guys you've really talked with in the last 90 days: at least three messages each way. Right now you can see none of them.",
    send: (count: number) => (count === 1 ? "Send 1 notice" : `Send ${count} notices`),
    sendAll: "Send the notices",
    confirm: "You can't take this back, and neither can we.",
    sent: "Done. What can go out without naming you is on its way, and nothing here remembers you sent it.",
    received: "Got a notice?",
    receivedText:
      "It means someone thought of you. Tests are quick, most infections are cured with a pill or a shot, and PEP works within 72 hours.",
    clinics: "Where to get tested",
    links: [
      { label: "Find a testing site (CDC, United States)", href: "https://gettested.cdc.gov/" },
      {
        label: "Sexual health services (NHS, United Kingdom)",
        href: "https://www.nhs.uk/service-search/sexual-health-services",
      },
      { label: "European test finder", href: "https://www.testfinder.info/" },
    ],
    leaves: "These links leave this site.",
  },
  es: {
    intro:
      "Si diste positivo, los hombres con los que estuviste quizá quieran saberlo. Elígelos; cada uno recibe un aviso anónimo en un momento al azar en unos dos días.",
    promise: [
      "No se guarda ninguna relación entre tú y el aviso en ninguna parte, tampoco para el equipo.",
      "Cada aviso espera de 4 a 52 horas, al azar, así que su hora no dice nada.",
      "No dice quién, cuándo ni qué. Quien casi no ha hablado con nadie podría adivinar que fuiste tú. Su aviso espera hasta dos semanas, a que hable con al menos tres hombres, y si no, nunca sale.",
      "Nadie recibe más de un aviso al mes, y no lo recibe nadie que bloqueaste o que te bloqueó.",
    ],
    choose: "¿Quién debe saberlo?",
    everyone: "Todos con los que hablé en los últimos",
    days: (days: number) => `${days} días`,
    nobody: "Elegidos",
    none: "Puedes avisar a los hombres con los que de verdad hablaste en los últimos 90 días: al menos tres mensajes de cada lado. Ahora no puedes ver a ninguno.",
    send: (count: number) => (count === 1 ? "Enviar 1 aviso" : `Enviar ${count} avisos`),
    sendAll: "Enviar los avisos",
    confirm: "No puedes deshacerlo, y nosotros tampoco.",
    sent: "Listo. Lo que puede salir sin delatarte está en camino, y aquí nada recuerda que lo enviaste.",
    received: "¿Recibiste un aviso?",
    receivedText:
      "Significa que alguien pensó en ti. Las pruebas son rápidas, casi todas las infecciones se curan con una pastilla o una inyección, y la PEP sirve dentro de las 72 horas.",
    clinics: "Dónde hacerse la prueba",
    links: [
      { label: "Centros de prueba (CDC, Estados Unidos)", href: "https://gettested.cdc.gov/" },
      {
        label: "Servicios de salud sexual (NHS, Reino Unido)",
        href: "https://www.nhs.uk/service-search/sexual-health-services",
      },
      { label: "Buscador europeo de pruebas", href: "https://www.testfinder.info/" },
    ],
    leaves: "Estos enlaces salen de este sitio.",
  },
});
