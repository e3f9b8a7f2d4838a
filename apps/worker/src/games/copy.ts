import { defineCopy } from "@lambda/contract/copy";

export const gamesCopy = defineCopy({
  en: {
    caught: "You got cooties! Pass them on.",
    cropSuggested: "Someone suggests a better crop for your picture.",
    cropApplied: "Your crop was used. Thank you!",
    marked:
      "The community rated one of your pictures NSFW. Guys who hide NSFW see it pixelated. You can ask for another look.",
    markConfirmed: "Others took another look at your picture and agree: it stays NSFW.",
    markCleared: "The community no longer rates your picture NSFW. Everyone sees it as it is.",
  },
  es: {
    caught: "¡La llevas! Pásala a otro.",
    cropSuggested: "Alguien te propone un encuadre mejor para tu foto.",
    cropApplied: "Usaron tu encuadre. ¡Gracias!",
    marked:
      "La comunidad marcó NSFW una de tus fotos. Los que ocultan NSFW la ven pixelada. Puedes pedir que la miren otra vez.",
    markConfirmed: "Otros miraron tu foto otra vez y opinan igual: sigue siendo NSFW.",
    markCleared: "La comunidad ya no marca NSFW tu foto. Todos la ven tal cual.",
  },
});
