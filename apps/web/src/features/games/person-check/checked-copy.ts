import type { PersonCheckPose } from "@lambda/contract/person-check";
import { defineCopyHook } from "../../../format/i18n.ts";

const HANDS = { en: { left: "left", right: "right" }, es: { left: "izquierda", right: "derecha" } };

export const usePersonCheckCopy = defineCopyHook({
  en: {
    lead: "Show it's really you: no papers, no company, one minute.",
    steps: [
      "Get a sheet of paper and a pen.",
      "You get a pose and a minute: fingers, a turn of the head, a number to write down.",
      "Your camera takes three stills. You can't send files.",
      "Guys on other sites, far away and drawn by lot, see them next to your public pictures for three seconds each. They learn no name and no place.",
      "The stills are deleted with their verdict; if one is reported, a copy stays with that case. Until then nobody else sees them but our staff, if they have to decide. They're in no list and no backup.",
    ],
    lasts:
      "The badge shows the month and lasts a year. It goes when you add or replace a public picture, until you're checked again. Pictures marked NSFW aren't compared, and can't come first.",
    start: "I have paper and pen",
    startEvenHere: "Check me even here",
    punishing:
      "Where you are, men are punished for this. The check is off here: it means pictures of your face on our server until the verdict, and a badge that says they're yours.",
    noPicture: "Your first public picture has to show your face, and can't be marked NSFW.",
    pictures: "My pictures",
    again: (time: string) => `You can try again on ${time}.`,
    write: (number: string) => `Write ${number} on the paper, large.`,
    hold: ({ fingers, hand }: PersonCheckPose) =>
      `Hold it where your face stays visible, with ${fingers} ${fingers === 1 ? "finger" : "fingers"} of your ${HANDS.en[hand]} hand shown beside it.`,
    turn: ({ turn }: PersonCheckPose) =>
      turn === "up" ? "Look up a little." : `Turn your head a little to your ${HANDS.en[turn]}.`,
    seconds: (count: number) => `${count} s`,
    left: "Time left",
    camera: "What your camera sees",
    take: (count: number) => `Take still ${count} of 3`,
    still: (count: number) => `Still ${count}`,
    sending: (percent: number) => `Sending the stills: ${percent} %`,
    late: "The minute is over. The next pose will be another one.",
    noCamera: "Your camera isn't open. Allow it in the browser, close calls and apps that use it, and try again.",
    failed: "We couldn't send the stills.",
    states: {
      judging: "Guys elsewhere are comparing. You'll hear from us, mostly within a day or two.",
      staff: "Our staff will compare your stills. They're deleted with the verdict.",
      him: "You're checked.",
      changed: "They recognized you, but a picture has changed since. Get checked again to get the badge back.",
      not_him: "They didn't recognize you. The stills are deleted.",
      unclear: "The guys who compared couldn't tell. The stills are deleted; more light helps.",
      expired: "The last try ended without a verdict. Its stills are deleted.",
    },
    withdraw: "End it and delete the stills",
    giveUp: "Give up the badge",
    loading: "Loading",
    loadFailed: "We couldn't load your check",
  },
  es: {
    lead: "Muestra que de verdad eres tú: sin papeles, sin empresas, en un minuto.",
    steps: [
      "Busca una hoja de papel y un bolígrafo.",
      "Te damos una pose y un minuto: dedos, un giro de cabeza, un número para escribir.",
      "Tu cámara toma tres capturas. No puedes enviar archivos.",
      "Hombres de otros sitios, lejos y por sorteo, las ven junto a tus fotos públicas, tres segundos cada una. No saben tu nombre ni dónde estás.",
      "Las capturas se borran con su veredicto; si alguien denuncia una, queda una copia con ese caso. Hasta entonces solo las ve nuestro equipo, si tiene que decidir. No están en ninguna lista ni copia de seguridad.",
    ],
    lasts:
      "El distintivo muestra el mes y dura un año. Se va si agregas o cambias una foto pública, hasta que te verifiques de nuevo. Las fotos marcadas NSFW no se comparan y no pueden ser la primera.",
    start: "Tengo papel y bolígrafo",
    startEvenHere: "Verificarme incluso aquí",
    punishing:
      "Donde estás castigan a hombres por esto. Aquí la verificación está apagada: significa fotos de tu cara en nuestro servidor hasta el veredicto, y un distintivo que dice que son tuyas.",
    noPicture: "Tu primera foto pública tiene que mostrar tu cara y no puede estar marcada NSFW.",
    pictures: "Mis fotos",
    again: (time: string) => `Puedes volver a intentarlo el ${time}.`,
    write: (number: string) => `Escribe ${number} en el papel, en grande.`,
    hold: ({ fingers, hand }: PersonCheckPose) =>
      `Sostenlo sin taparte la cara, y muestra al lado ${fingers} ${fingers === 1 ? "dedo" : "dedos"} de tu mano ${HANDS.es[hand]}.`,
    turn: ({ turn }: PersonCheckPose) =>
      turn === "up" ? "Mira un poco hacia arriba." : `Gira la cabeza un poco hacia tu ${HANDS.es[turn]}.`,
    seconds: (count: number) => `${count} s`,
    left: "Tiempo restante",
    camera: "Lo que ve tu cámara",
    take: (count: number) => `Tomar captura ${count} de 3`,
    still: (count: number) => `Captura ${count}`,
    sending: (percent: number) => `Enviando las capturas: ${percent} %`,
    late: "Se acabó el minuto. La próxima pose será otra.",
    noCamera:
      "Tu cámara no está abierta. Permítela en el navegador, cierra las llamadas y apps que la usan, e inténtalo otra vez.",
    failed: "No se pudieron enviar las capturas.",
    states: {
      judging: "Hombres de otros lugares están comparando. Te avisamos, casi siempre en uno o dos días.",
      staff: "Nuestro equipo comparará tus capturas. Se borran con el veredicto.",
      him: "Estás verificado.",
      changed:
        "Te reconocieron, pero una foto cambió desde entonces. Verifícate otra vez para recuperar el distintivo.",
      not_him: "No te reconocieron. Las capturas se borraron.",
      unclear: "Los que compararon no lo tenían claro. Las capturas se borraron; ayuda más luz.",
      expired: "El último intento terminó sin veredicto. Sus capturas se borraron.",
    },
    withdraw: "Terminar y borrar las capturas",
    giveUp: "Renunciar al distintivo",
    loading: "Cargando",
    loadFailed: "No se pudo cargar tu verificación",
  },
});
