import { defineCopyHook } from "../../format/i18n.ts";

export const useCheckedCopy = defineCopyHook({
  en: {
    badge: (month: string) => `Checked in ${month}`,
    proves:
      "Members elsewhere or our staff found that the man before the camera is the man in the pictures. It does not prove a name, an age or good intentions, and software that forges a face live can deceive it.",
  },
  es: {
    badge: (month: string) => `Verificado en ${month}`,
    proves:
      "Miembros de otros lugares o nuestro equipo vieron que el hombre ante la cámara es el de las fotos. No prueba un nombre, una edad ni buenas intenciones, y un programa que falsifica caras en directo puede engañarlo.",
  },
});
