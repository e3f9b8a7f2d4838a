import { defineCopyHook } from "../../../../format/i18n.ts";

export const usePictureCoverCopy = defineCopyHook({
  en: {
    title: "Pictures you didn't ask for",
    text: "A covered picture loads only when you press it. Decline it and nobody is told, but a man whose pictures get declined a lot has to ask first.",
    label: "Cover pictures",
    covers: { always: "From everyone", unknown: "From men I haven't written to", never: "Never" },
  },
  es: {
    title: "Fotos que no pediste",
    text: "Una foto tapada carga solo cuando la tocas. Si la rechazas, nadie se entera, pero a quien le rechazan muchas le toca preguntar primero.",
    label: "Tapar las fotos",
    covers: { always: "De todos", unknown: "De hombres a los que no les escribí", never: "Nunca" },
  },
});
