import { defineCopyHook } from "../../../../format/i18n.ts";

export const useSheetsCopy = defineCopyHook({
  en: {
    phrases: "Saved phrases",
    savePhrase: "Save this text as a phrase",
    noPhrases: "Nothing saved yet. Write something, then save it here.",
    removePhrase: "Remove phrase",
    exactTitle: "Send your exact position?",
    exactText: "He'll know where you are to about 30 ft (10 m). He can't unsee it, even if you take the message back.",
    exactYes: "Send it",
    locating: "Looking for where you are ...",
    albumTitle: "Open your private album?",
    albumText:
      "He sees all your private pictures until you close the album to him again, on his profile or in Edit Profile.",
    albumYes: "Open it",
    onceTitle: "A picture he can open once",
    onceText:
      "He opens it once. Then it's deleted from our server, for him and for you. If he never does, it goes after 14 days.",
    onceLimits: "Nobody can stop a screenshot, or a photo of his screen. Send only what you could bear him to keep.",
    onceChoose: "Choose a picture",
    onceSend: "Send it",
    oncePreview: "The picture you chose",
  },
  es: {
    phrases: "Frases guardadas",
    savePhrase: "Guardar este texto como frase",
    noPhrases: "Aún no hay nada. Escribe algo y guárdalo aquí.",
    removePhrase: "Quitar la frase",
    exactTitle: "¿Enviar tu posición exacta?",
    exactText: "Sabrá dónde estás, con unos 10 m de margen. No hay vuelta atrás, aunque retires el mensaje.",
    exactYes: "Enviarla",
    locating: "Buscando dónde estás ...",
    albumTitle: "¿Abrir tu álbum privado?",
    albumText: "Ve todas tus fotos privadas hasta que le cierres el álbum, en su perfil o en Editar el perfil.",
    albumYes: "Abrirlo",
    onceTitle: "Una foto que puede abrir una vez",
    onceText:
      "La abre una vez. Después se borra de nuestro servidor, para él y para ti. Si nunca la abre, se borra a los 14 días.",
    onceLimits:
      "Nadie puede impedir una captura, ni una foto de su pantalla. Envía solo lo que soportarías que guardara.",
    onceChoose: "Elegir una foto",
    onceSend: "Enviarla",
    oncePreview: "La foto que elegiste",
  },
});
