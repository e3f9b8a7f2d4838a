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
    caught: "¡Tienes piojos! Pásaselos a otro.",
    cropSuggested: "Alguien te propone un encuadre mejor para tu foto.",
    cropApplied: "Han usado tu encuadre. ¡Gracias!",
    marked:
      "La comunidad ha marcado una de tus fotos como NSFW. Quien oculta las fotos NSFW la ve pixelada. Puedes pedir que la revisen.",
    markConfirmed: "Otras personas han vuelto a mirar tu foto y opinan lo mismo: sigue siendo NSFW.",
    markCleared: "Tu foto ya no está marcada como NSFW. Todo el mundo la ve tal cual.",
  },
});
