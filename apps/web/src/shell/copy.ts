import { NOTIFICATIONS_COUNTED_MAX as MOST } from "@lambda/contract/limits";
import { defineCopyHook } from "../format/i18n.ts";

const upTo = (count: number) => (count > MOST ? `${MOST}+` : count);

export const useShellCopy = defineCopyHook({
  en: {
    skip: "Skip to content",
    navigation: "Navigation",
    openNavigation: "Open navigation",
    closeNavigation: "Close navigation",
    home: "Home",
    main: "Main destinations",
    banner: "This site is under active development, and registration may not be available in every area.",
    notices: "Notices",
    hideBanner: "Hide this notice",
    places: { map: "Map", tiles: "Tiles", chat: "Chat", likes: "Likes", me: "Me", notifications: "Notifications" },
    unread: (count: number) => (count === 1 ? "1 unread message" : `${count} unread messages`),
    waiting: (count: number) => (count === 1 ? "1 notification" : `${upTo(count)} notifications`),
    loading: "Loading",
    missing: "Not loaded. Check your network.",
    retry: "Try again",
  },
  es: {
    skip: "Saltar al contenido",
    navigation: "Navegación",
    openNavigation: "Abrir la navegación",
    closeNavigation: "Cerrar la navegación",
    home: "Inicio",
    main: "Destinos principales",
    banner: "Este sitio está en pleno desarrollo y el registro puede no estar disponible en todas las zonas.",
    notices: "Avisos",
    hideBanner: "Ocultar este aviso",
    places: { map: "Mapa", tiles: "Mosaico", chat: "Chat", likes: "Me gusta", me: "Yo", notifications: "Avisos" },
    unread: (count: number) => (count === 1 ? "1 mensaje sin leer" : `${count} mensajes sin leer`),
    waiting: (count: number) => (count === 1 ? "1 aviso" : `${upTo(count)} avisos`),
    loading: "Cargando",
    missing: "Sin cargar. Revisa tu red.",
    retry: "Reintentar",
  },
});
