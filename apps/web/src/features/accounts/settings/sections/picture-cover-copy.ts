import { defineCopyHook } from "../../../../format/i18n.ts";

export const usePictureCoverCopy = defineCopyHook({
  en: {
    title: "Pictures you didn't ask for",
    text: "A covered picture loads only when you press it. Decline it and nobody is told, but a man whose pictures get declined a lot has to ask first.",
    label: "Cover pictures",
    covers: { always: "From everyone", unknown: "From men I haven't written to", never: "Never" },
  },
  es: {
    title: "Fotos que no has pedido",
    text: "Una foto tapada no se carga hasta que la pulsas. Si no la quieres, nadie lo sabe, pero a quien varios miembros se las rechazan le toca preguntar primero.",
    label: "Tapar las fotos",
    covers: { always: "De todos", unknown: "De hombres a los que no he escrito", never: "Nunca" },
  },
});
