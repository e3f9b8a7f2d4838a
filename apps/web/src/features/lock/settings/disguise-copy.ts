import { defineCopy } from "@lambda/contract/copy";

export const disguiseCopy = defineCopy({
  en: {
    title: "Neutral name and icon",
    text: "On this device the site then has this name in the tab, in the phone's switcher, under its icon, in notifications and where you share. Notifications say something that fits. The server does not know of it.",
    install:
      "An icon that is already on your home screen keeps its old name: remove it, and add it again after choosing. Where the browser bar shows, it shows the address.",
    exitTitle: "Quick exit",
    exitText:
      "Three taps on the mark above, or Escape twice: an empty page of notes, from any screen, locked or not. The pages of this visit go from the Back button.",
    exitLimit:
      "The browser's own history keeps the addresses that you opened, and in older browsers Back may lead to earlier pages. A private window leaves neither.",
    exitTry: "Try it",
  },
  es: {
    title: "Nombre e icono neutros",
    text: "En este dispositivo el sitio lleva entonces este nombre en la pestaña, en el selector del teléfono, bajo su icono, en los avisos y al compartir. Los avisos dicen algo que encaja. El servidor no sabe nada de ello.",
    install:
      "Un icono que ya está en tu pantalla de inicio conserva su nombre: quítalo y añádelo de nuevo después de elegir. Donde se ve la barra del navegador, se ve la dirección.",
    exitTitle: "Salida rápida",
    exitText:
      "Tres toques en el símbolo de arriba, o Escape dos veces: una página de notas vacía, desde cualquier pantalla, con bloqueo o sin él. Las páginas de esta visita desaparecen del botón Atrás.",
    exitLimit:
      "El historial del propio navegador guarda las direcciones que abriste, y en navegadores antiguos Atrás puede llevar a páginas anteriores. Una ventana privada no deja ni lo uno ni lo otro.",
    exitTry: "Probar",
  },
});
