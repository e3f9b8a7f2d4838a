import { defineCopyHook } from "../../format/i18n.ts";

export const useMetCopy = defineCopyHook({
  en: {
    metBy: (men: number) => `Met by ${men}+`,
    metByHint: "guys who say he's the man in his pictures",
    title: "Is he the man in his pictures?",
    privately: (least: number) =>
      `Only you see your answer. It counts once he says the same of you. From ${least} guys on, his profile says “Met by ${least}+”, counted afresh every four weeks.`,
    yes: "Yes, he is",
    said: "You said he's the man in his pictures.",
    takeBack: "Take it back",
    tooEarly: (messages: number) =>
      `You can say this once he has a picture and you two have talked for two days, with at least ${messages} messages each.`,
    failed: "We couldn't load this",
  },
  es: {
    metBy: (men: number) => `Visto en persona por ${men}+`,
    metByHint: "hombres que dicen que es el de sus fotos",
    title: "¿Es el hombre de sus fotos?",
    privately: (least: number) =>
      `Solo tú ves tu respuesta. Cuenta cuando él dice lo mismo de ti. Desde ${least} hombres, su perfil dice «Visto en persona por ${least}+», y se cuenta de nuevo cada cuatro semanas.`,
    yes: "Sí, lo es",
    said: "Dijiste que es el hombre de sus fotos.",
    takeBack: "Retirarlo",
    tooEarly: (messages: number) =>
      `Puedes decirlo cuando él tenga una foto y lleven dos días hablando, con al menos ${messages} mensajes cada uno.`,
    failed: "No pudimos cargar esto",
  },
});
