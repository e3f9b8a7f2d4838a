import { defineCopyHook } from "../../format/i18n.ts";

export const useGamesCopy = defineCopyHook({
  en: {
    lead: "Ten rooms. Some are for fun, some keep this place decent, most do both.",
    credits: (count: number) => (count === 1 ? "1 volunteer credit" : `${count} volunteer credits`),
    summons: (count: number) =>
      count === 1 ? "A case is waiting for your verdict." : `${count} cases are waiting for your verdict.`,
    serve: "Take your seat",
    more: "More games",
    cards: {
      gptbuster: { title: "GPT Buster!", text: "Flesh or software? Read a line, make the call." },
      cooties: { title: "You got Cooties!", text: "Tag, for grown men. Catch them, pass them on." },
      hotornot: { title: "Hot! or Not!", text: "One picture, one swipe, no regrets. Almost." },
      ratinggame: { title: "The Rating Game", text: "Sort the tame from the tasty. Your vote sets the blur." },
      photocrop: { title: "Help my Photos", text: "Find the better picture inside his picture." },
      identify: { title: "3 2 1 Identify!", text: "You had three seconds. Which one was he?" },
      ishim: { title: "Is it him?", text: "Two pictures, three seconds. The same man?" },
      dungeon: { title: "Bad Boy Dungeon", text: "Your own record, and how to clear your name." },
      health: {
        title: "Health Incident Report",
        text: "Tell past partners to get tested. Nobody learns who told them.",
      },
      arbitration: { title: "Community Arbitration", text: "Nine strangers, one case, a written reason each." },
    },
    loading: "Shuffling",
    failed: "We couldn't open the game",
    back: "All games",
    doneTitle: "That's all for now",
    doneText: "You've seen it all for today. Come back when there are new faces.",
    limitTitle: "That's your share for now",
    limitText:
      "A few each day is how this stays fair: nobody gets to vote all night. There will be more in a day or two.",
    howItWorks: "How does this work?",
  },
  es: {
    lead: "Diez salas. Unas son por diversión, otras mantienen esto decente, casi todas hacen las dos cosas.",
    credits: (count: number) => (count === 1 ? "1 crédito de voluntario" : `${count} créditos de voluntario`),
    summons: (count: number) => (count === 1 ? "Un caso espera tu veredicto." : `${count} casos esperan tu veredicto.`),
    serve: "Ocupa tu asiento",
    more: "Más juegos",
    cards: {
      gptbuster: { title: "¡Cazabots!", text: "¿Carne o software? Lee una frase y decide." },
      cooties: { title: "¡La llevas!", text: "Las atrapadas, para hombres grandes. Si te toca, pásala." },
      hotornot: { title: "¿Sí o no?", text: "Una foto, un gesto, cero remordimientos. Casi." },
      ratinggame: {
        title: "El juego de clasificar",
        text: "Separa lo manso de lo sabroso. Tu voto decide qué se pixela.",
      },
      photocrop: { title: "Ayuda con mis fotos", text: "Encuentra la mejor foto dentro de su foto." },
      identify: { title: "3 2 1 ¡Identifica!", text: "Tuviste tres segundos. ¿Cuál era?" },
      ishim: { title: "¿Es él?", text: "Dos fotos, tres segundos. ¿El mismo hombre?" },
      dungeon: { title: "El calabozo de los malos", text: "Tu historial, y cómo limpiar tu nombre." },
      health: {
        title: "Aviso de salud",
        text: "Avísales a tus parejas que se hagan la prueba. Nadie sabe quién avisó.",
      },
      arbitration: {
        title: "Arbitraje de la comunidad",
        text: "Nueve desconocidos, un caso, una razón escrita cada uno.",
      },
    },
    loading: "Barajando",
    failed: "No pudimos abrir el juego",
    back: "Todos los juegos",
    doneTitle: "Eso es todo por ahora",
    doneText: "Ya viste todo lo de hoy. Vuelve cuando haya caras nuevas.",
    limitTitle: "Ya jugaste lo tuyo",
    limitText: "Unas pocas al día, para que sea justo: nadie se pasa la noche votando. Habrá más en uno o dos días.",
    howItWorks: "¿Cómo funciona?",
  },
});
