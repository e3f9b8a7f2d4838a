import { defineCopy } from "@lambda/contract/copy";

export const likesCopy = defineCopy({
  en: {
    liked: "Someone likes you. Find out who.",
    matched: "It's a match: you like each other.",
    pictureLiked: "Someone likes one of your pictures.",
  },
  es: {
    liked: "Le gustas a alguien. Descubre a quién.",
    matched: "Es mutuo: se gustan.",
    pictureLiked: "A alguien le gusta una de tus fotos.",
  },
});
