import type { PersonCheckPose } from "@lambda/contract/person-check";
import { defineCopyHook } from "../../../format/i18n.ts";

const HANDS = { en: { left: "left", right: "right" }, es: { left: "izquierda", right: "derecha" } };
const TURNS = {
  en: { left: "turned to his left", right: "turned to his right", up: "looking up" },
  es: { left: "girada a su izquierda", right: "girada a su derecha", up: "hacia arriba" },
};

export const useIsHimCopy = defineCopyHook({
  en: {
    question: "Is it the same man?",
    show: "Show the three pairs",
    ready: "Each pair shows for three seconds.",
    loading: "Loading the pictures",
    failed: "The pictures didn't load. Answer that you can't tell.",
    pair: (number: number) => `Pair ${number} of 3`,
    first: "First picture",
    second: "Second picture",
    seen: "Seen. What do you say?",
    report: "Report these pictures",
    pose: ({ fingers, hand, turn, number }: PersonCheckPose) =>
      `He was asked to hold the number ${number} and ${fingers} ${fingers === 1 ? "finger" : "fingers"} of his ${HANDS.en[hand]} hand, head ${TURNS.en[turn]}.`,
    exercise: "In an exercise nobody holds it.",
    him: "It's him, in that pose",
    no_pose: "It's him, not in that pose",
    not_him: "It's not him",
    unclear: "I can't tell",
    wasHim: "An exercise: it was one man, not in the pose.",
    wasNot: "An exercise: they were two men.",
    how: "A man asked to be checked and held a drawn pose before his camera. Players elsewhere, drawn by lot, compare his stills with his public pictures. Among them are exercises with known answers, made of public pictures, which show who compares well; only their answers count. You see no name, the pictures are gone after the verdict, and nobody learns who judged.",
  },
  es: {
    question: "¿Es el mismo hombre?",
    show: "Mostrar las tres parejas de fotos",
    ready: "Cada pareja se ve tres segundos.",
    loading: "Cargando las fotos",
    failed: "Las fotos no cargaron. Responde que no lo tienes claro.",
    pair: (number: number) => `Pareja ${number} de 3`,
    first: "Primera foto",
    second: "Segunda foto",
    seen: "Vistas. ¿Qué dices?",
    report: "Denunciar estas fotos",
    pose: ({ fingers, hand, turn, number }: PersonCheckPose) =>
      `Le pedimos sostener el número ${number} y mostrar ${fingers} ${fingers === 1 ? "dedo" : "dedos"} de la mano ${HANDS.es[hand]}, con la cabeza ${TURNS.es[turn]}.`,
    exercise: "En un ejercicio nadie lo sostiene.",
    him: "Es él, en esa pose",
    no_pose: "Es él, pero no en esa pose",
    not_him: "No es él",
    unclear: "No lo tengo claro",
    wasHim: "Un ejercicio: era un solo hombre, sin la pose.",
    wasNot: "Un ejercicio: eran dos hombres.",
    how: "Un hombre pidió verificarse y adoptó ante su cámara una pose sorteada. Jugadores de otros lugares, elegidos por sorteo, comparan sus capturas con sus fotos públicas. Entre ellas hay ejercicios con respuesta conocida, hechos de fotos públicas, que muestran quién compara bien; solo cuentan sus respuestas. No ves ningún nombre, las capturas desaparecen con el veredicto y nadie sabe quién juzgó.",
  },
});
