import { defineCopyHook } from "../../../../format/i18n.ts";

export const useDisguiseCopy = defineCopyHook({
  en: {
    title: "Neutral name and icon",
    text: "On this device the site then goes by this name: in the browser tab, the app switcher, under its icon, in notifications and when you share. Notifications say something that fits the name. Our server never learns of it.",
    notStored:
      "Notifications still look as before: this device couldn't store your choice. Free some space. We try again each time you open the site.",
    install:
      "An icon already on your home screen keeps its old name: remove it, and add it again after choosing. If you can see the browser's address bar, it still shows the address.",
    exitTitle: "Quick exit",
    exitText:
      "Tap the logo at the top three times, or press Escape twice, to open an empty page of notes from any screen, locked or not. The Back button then no longer leads to the pages of this visit.",
    exitLimit:
      "Unless the lock is on, the browser's own history keeps the addresses you opened, and in older browsers Back may lead to earlier pages. A private window leaves neither behind.",
    exitTry: "Try it",
  },
  es: {
    title: "Nombre e icono neutros",
    text: "En este dispositivo el sitio lleva entonces este nombre: en la pestaña, en el selector de aplicaciones, bajo su icono, en los avisos y al compartir. Los avisos dicen algo que va con el nombre. Nuestro servidor nunca se entera.",
    notStored:
      "Los avisos se ven como antes: este dispositivo no pudo guardar tu elección. Libera espacio. Lo intentamos de nuevo cada vez que abres el sitio.",
    install:
      "Un icono que ya está en tu pantalla de inicio conserva su nombre: quítalo y agrégalo de nuevo después de elegir. Si ves la barra del navegador, sigue mostrando la dirección.",
    exitTitle: "Salida rápida",
    exitText:
      "Toca tres veces el símbolo de arriba, o presiona Escape dos veces, para abrir una página de notas vacía desde cualquier pantalla, con bloqueo o sin él. El botón Atrás ya no lleva a las páginas de esta visita.",
    exitLimit:
      "Sin el bloqueo, el historial del propio navegador guarda las direcciones que abriste, y en navegadores antiguos Atrás puede llevar a páginas anteriores. Una ventana privada no deja ni lo uno ni lo otro.",
    exitTry: "Probar",
  },
});
