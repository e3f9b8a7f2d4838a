import { defineCopyHook } from "../../../format/i18n.ts";

export const useDeadEndsCopy = defineCopyHook({
  en: {
    notFound: "Well, this is embarrassing. The feature you requested was not found.",
    home: "Home",
    sorry:
      "Ooops! Well, this is embarassing. We're sorry, we are experiencing technical difficulties at this time. Please try again later.",
  },
  es: {
    notFound: "Vaya, qué vergüenza. No se encontró lo que pedías.",
    home: "Inicio",
    sorry:
      "¡Uy! Vaya, qué vergüenza. Lo sentimos, tenemos dificultades técnicas en este momento. Vuelve a intentarlo más tarde.",
  },
});
