import { defineCopyHook } from "../../format/i18n.ts";

export const useMetCopy = defineCopyHook({
  en: {
    metBy: (men: number) => `Met by ${men}+`,
    metByHint: "men who say that he is the man in his pictures",
    title: "Is he the man in his pictures?",
    privately: (least: number) =>
      `Only you see your answer; he is not told. It counts once he says the same of you. From ${least} such men on his profile says “Met by ${least}+”, counted anew once in four weeks.`,
    yes: "Yes, he is",
    said: "You said that he is the man in his pictures.",
    takeBack: "Take it back",
    tooEarly: (messages: number) =>
      `You can say this when he has a picture and you two have talked for two days, with at least ${messages} messages each.`,
    failed: "This could not be loaded",
  },
  es: {
    metBy: (men: number) => `Visto en persona por ${men}+`,
    metByHint: "hombres que dicen que es el de sus fotos",
    title: "¿Es el hombre de sus fotos?",
    privately: (least: number) =>
      `Solo tú ves tu respuesta; a él no se le dice. Cuenta cuando él dice lo mismo de ti. A partir de ${least} hombres así, su perfil dice «Visto en persona por ${least}+», y se vuelve a contar una vez cada cuatro semanas.`,
    yes: "Sí, lo es",
    said: "Dijiste que es el hombre de sus fotos.",
    takeBack: "Retirarlo",
    tooEarly: (messages: number) =>
      `Podrás decirlo cuando él tenga una foto y hayan hablado durante dos días, con al menos ${messages} mensajes cada uno.`,
    failed: "No se pudo cargar",
  },
});
