import { defineCopyHook } from "../../format/i18n.ts";

export const useCheckedCopy = defineCopyHook({
  en: {
    badge: (month: string) => `Checked in ${month}`,
    proves:
      "Men elsewhere, or our staff, compared him live on camera with these pictures: it's him. That doesn't prove a name, an age or good intentions, and live face forgery can fool it.",
  },
  es: {
    badge: (month: string) => `Verificado en ${month}`,
    proves:
      "Hombres de otros lugares, o nuestro equipo, lo compararon en vivo ante la cámara con estas fotos: es él. Eso no prueba un nombre, una edad ni buenas intenciones, y una cara falsificada en vivo puede engañarlo.",
  },
});
