import { defineCopy } from "@lambda/contract/copy";

export const gamesCopy = defineCopy({
  en: {
    caught: "You got cooties! Pass them on.",
    cropSuggested: "Someone suggests a better crop for your picture.",
    cropApplied: "Your crop was used. Thank you!",
    marked:
      "The community rated one of your pictures NSFW. It is pixelated for members who hide NSFW pictures. You can ask for another review.",
    markConfirmed: "Others looked at your picture again and came to the same answer: it stays NSFW.",
    markCleared: "Your picture is no longer rated NSFW by the community. Everyone sees it as it is.",
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
