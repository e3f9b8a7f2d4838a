import { defineCopy } from "@lambda/contract/copy";

export const shellCopy = defineCopy({
  en: {
    skip: "Skip to content",
    navigation: "Navigation",
    openNavigation: "Open navigation",
    closeNavigation: "Close navigation",
    home: "Home",
    main: "Main destinations",
    banner: "This site is under active development, and registration may not be available in every area.",
    closing: {
      text: (day: string) => `This site closes on ${day}. Then everything is erased.`,
      download: "Download my data",
    },
    notices: "Notices",
    hideBanner: "Hide this notice",
    groups: { chat: "Chat", likes: "Likes", notifications: "Notifications" },
    places: { map: "Map", tiles: "Tiles", chat: "Chat", likes: "Likes", me: "Me" },
    unread: (count: number) => (count === 1 ? "1 unread message" : `${count} unread messages`),
    waiting: (count: number) => (count === 1 ? "1 notification" : `${count} notifications`),
    loading: "Loading",
    broken: {
      title: "This page crashed",
      text: "It is our fault, not yours. Try again; if it keeps happening, tell us on the support page.",
      retry: "Try again",
    },
    standing: {
      suspended: (until: string) => `Your account is suspended until ${until}.`,
      banned: "Your account is banned from this site.",
      more: "See why",
    },
  },
  es: {
    skip: "Saltar al contenido",
    navigation: "Navegación",
    openNavigation: "Abrir la navegación",
    closeNavigation: "Cerrar la navegación",
    home: "Inicio",
    main: "Destinos principales",
    banner: "Este sitio está en pleno desarrollo y el registro puede no estar disponible en todas las zonas.",
    closing: {
      text: (day) => `Este sitio cierra el ${day}. Entonces se borra todo.`,
      download: "Descargar mis datos",
    },
    notices: "Avisos",
    hideBanner: "Ocultar este aviso",
    groups: { chat: "Chat", likes: "Me gusta", notifications: "Avisos" },
    places: { map: "Mapa", tiles: "Fotos", chat: "Chat", likes: "Me gusta", me: "Yo" },
    unread: (count: number) => (count === 1 ? "1 mensaje sin leer" : `${count} mensajes sin leer`),
    waiting: (count: number) => (count === 1 ? "1 aviso" : `${count} avisos`),
    loading: "Cargando",
    broken: {
      title: "Esta página se ha caído",
      text: "Es culpa nuestra, no tuya. Vuelve a intentarlo; si sigue igual, cuéntanoslo en la página de ayuda.",
      retry: "Reintentar",
    },
    standing: {
      suspended: (until: string) => `Tu cuenta está suspendida hasta el ${until}.`,
      banned: "Te han expulsado de este sitio.",
      more: "Ver por qué",
    },
  },
});
