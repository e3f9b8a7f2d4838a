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
      "Miembros de otros lugares o nuestro equipo vieron que el hombre ante la cámara es el de las fotos. No prueba un nombre, una edad ni buenas intenciones, y un programa que falsifica caras en directo puede engañarlo.",
  },
});
