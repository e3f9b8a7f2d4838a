import type { PagePath } from "@lambda/contract/page-paths";
import type { IconName } from "@lambda/ui/icon-paths";

/** Who may open a route; "visitor" means only when logged out. The server decides separately what a screen may read. */
export type Access = "open" | "visitor" | "user" | "admin";

/** Submenus of the side navigation. */
export type NavigationGroup = "chat" | "likes" | "notifications";

interface LocalizedText {
  readonly en: string;
  readonly es: string;
}

interface RouteShape {
  readonly path: PagePath | "*";
  readonly title: LocalizedText;
  readonly access: Access;
  /** The entry in the side navigation; entries appear in the table's order. */
  readonly navigation?: {
    readonly icon: IconName;
    /** Replaces the title in the navigation. */
    readonly label?: LocalizedText;
    readonly group?: NavigationGroup;
    /** Hides the entry from viewers who may open the route but do not need it. */
    readonly shownTo?: Access;
  };
  /** No margins and no width limit (map, tiles, chat). */
  readonly fullWidth?: true;
  /** A step of a task: no menu, tabs, bell or notices, and the primary action sticks at the bottom. */
  readonly isStep?: true;
}

const ROUTE_TABLE = [
  {
    path: "/",
    title: { en: "Home", es: "Inicio" },
    access: "open",
    navigation: { icon: "home" },
    fullWidth: true,
  },
  {
    path: "/login",
    title: { en: "Login", es: "Entrar" },
    access: "visitor",
    navigation: { icon: "login" },
  },
  {
    path: "/register",
    title: { en: "Register", es: "Registro" },
    access: "open",
    navigation: { icon: "user", shownTo: "visitor" },
  },
  {
    path: "/welcome",
    title: { en: "Welcome", es: "Bienvenida" },
    access: "user",
    isStep: true,
  },
  {
    path: "/search/map",
    title: { en: "Gaydar Map", es: "Mapa gaydar" },
    access: "user",
    navigation: { icon: "map" },
    fullWidth: true,
  },
  {
    path: "/search/tile",
    title: { en: "Picture Tiles", es: "Mosaico de fotos" },
    access: "user",
    navigation: { icon: "tiles", label: { en: "Profile Tiles", es: "Mosaico de perfiles" } },
    fullWidth: true,
  },
  {
    path: "/search/swype",
    title: { en: "Swype Pics", es: "Deslizar fotos" },
    access: "user",
    navigation: { icon: "cards", label: { en: "Swype Profiles", es: "Deslizar perfiles" } },
    fullWidth: true,
  },
  {
    path: "/search/profile",
    title: { en: "Details by Distance", es: "Detalles por distancia" },
    access: "user",
    navigation: { icon: "list", label: { en: "Read Profiles", es: "Leer perfiles" } },
    fullWidth: true,
  },
  {
    path: "/chat/personal",
    title: { en: "Your Conversations", es: "Tus conversaciones" },
    access: "user",
    navigation: { icon: "chat", group: "chat", label: { en: "Personal Chat", es: "Chat personal" } },
    fullWidth: true,
  },
  {
    path: "/chat/broadcast",
    title: { en: "Broadcast Messages", es: "Mensajes para todos" },
    access: "user",
    navigation: { icon: "broadcast", group: "chat", label: { en: "Map Chat", es: "Chat del mapa" } },
    fullWidth: true,
  },
  {
    path: "/likes/profilelikedyou",
    title: { en: "Likes", es: "Me gusta" },
    access: "user",
    navigation: { icon: "heart", group: "likes", label: { en: "Liked You", es: "Les gustas" } },
  },
  {
    path: "/likes/profilelikedyourpics",
    title: { en: "Liked Your Pics", es: "Les gustan tus fotos" },
    access: "user",
    navigation: { icon: "picture", group: "likes", label: { en: "Your Pics", es: "Tus fotos" } },
  },
  {
    path: "/likes/youlikedprofile",
    title: { en: "You Liked", es: "Te gustan" },
    access: "user",
    navigation: { icon: "heart-filled", group: "likes", label: { en: "You Liked", es: "Te gustan" } },
  },
  {
    path: "/likes/youlikedprofilepics",
    title: { en: "Liked Their Pics", es: "Te gustan sus fotos" },
    access: "user",
    navigation: { icon: "star", group: "likes", label: { en: "Their Pics", es: "Sus fotos" } },
  },
  {
    path: "/notifications",
    title: { en: "Notifications", es: "Avisos" },
    access: "user",
    navigation: { icon: "bell", group: "notifications" },
  },
  {
    path: "/notes",
    title: { en: "My Notes", es: "Mis notas" },
    access: "user",
    navigation: { icon: "lock" },
  },
  {
    path: "/games",
    title: { en: "Community and Games", es: "Comunidad y juegos" },
    access: "user",
    navigation: { icon: "games", label: { en: "Community", es: "Comunidad" } },
  },
  {
    path: "/games/gptbuster",
    title: { en: "GPT Buster!", es: "¡Cazabots!" },
    access: "user",
  },
  {
    path: "/games/cooties",
    title: { en: "You got Cooties!", es: "¡La llevas!" },
    access: "user",
  },
  {
    path: "/games/hotornot",
    title: { en: "Hot! or Not!", es: "¿Sí o no?" },
    access: "user",
  },
  {
    path: "/games/ratinggame",
    title: { en: "The Rating Game", es: "El juego de clasificar" },
    access: "user",
  },
  {
    path: "/games/photocrop",
    title: { en: "Help my Photos", es: "Ayuda con mis fotos" },
    access: "user",
  },
  {
    path: "/games/ishim",
    title: { en: "Is it him?", es: "¿Es él?" },
    access: "user",
  },
  {
    path: "/games/identify",
    title: { en: "3 2 1 Identify!", es: "3 2 1 ¡Identifica!" },
    access: "user",
  },
  {
    path: "/games/dungeon",
    title: { en: "Bad Boy Dungeon", es: "El calabozo de los malos" },
    access: "user",
  },
  {
    path: "/games/health",
    title: { en: "Health Incident Report", es: "Aviso de salud" },
    access: "user",
  },
  {
    path: "/games/arbitration",
    title: { en: "Community Arbitration", es: "Arbitraje de la comunidad" },
    access: "user",
  },
  {
    path: "/checked",
    title: { en: "Get Checked", es: "Verificarte" },
    access: "user",
  },
  {
    path: "/profileEdit",
    title: { en: "Edit Profile", es: "Editar el perfil" },
    access: "user",
    navigation: { icon: "edit" },
  },
  {
    path: "/profile/:profileId?",
    title: { en: "View Profile", es: "Perfil" },
    access: "user",
    fullWidth: true,
  },
  {
    path: "/profilePicEdit",
    title: { en: "Edit Profile Pic", es: "Editar la foto" },
    access: "user",
  },
  {
    path: "/profilePicCarousel",
    title: { en: "Pictures", es: "Fotos" },
    access: "user",
    fullWidth: true,
  },
  {
    path: "/profilePicRateSwipe",
    title: { en: "Rate Pictures", es: "Valorar fotos" },
    access: "user",
  },
  {
    path: "/profilePicUpload",
    title: { en: "Upload a Picture", es: "Subir una foto" },
    access: "user",
  },
  {
    path: "/settings",
    title: { en: "Account", es: "Cuenta" },
    access: "user",
    navigation: { icon: "gear" },
  },
  {
    path: "/import",
    title: { en: "Bring your data", es: "Traer tus datos" },
    access: "user",
  },
  {
    path: "/travel",
    title: { en: "Trips", es: "Viajes" },
    access: "user",
  },
  {
    path: "/travel/here",
    title: { en: "Safety", es: "Seguridad" },
    access: "user",
  },
  {
    path: "/dashboard",
    title: { en: "Admin Dashboard", es: "Panel de administración" },
    access: "admin",
    navigation: { icon: "crown" },
  },
  {
    path: "/aboutus",
    title: { en: "About Us", es: "Quiénes somos" },
    access: "open",
    navigation: { icon: "info" },
  },
  {
    path: "/support",
    title: { en: "Support", es: "Ayuda" },
    access: "open",
    navigation: { icon: "shield" },
  },
  {
    path: "/billing",
    title: { en: "Membership Dues", es: "Cuotas" },
    access: "user",
    navigation: { icon: "star" },
  },
  {
    path: "/contactus",
    title: { en: "Contact Us", es: "Contacto" },
    access: "user",
    navigation: { icon: "mail" },
  },
  {
    path: "/tos",
    title: { en: "Terms of Service", es: "Condiciones del servicio" },
    access: "open",
    navigation: { icon: "scales" },
  },
  {
    path: "/transparency",
    title: { en: "Transparency", es: "Transparencia" },
    access: "open",
    navigation: { icon: "eye" },
  },
  {
    path: "/age",
    title: { en: "Proof of Age", es: "Prueba de edad" },
    access: "open",
  },
  {
    path: "/remove-image",
    title: { en: "Remove an Image", es: "Retirar una imagen" },
    access: "open",
  },
  {
    path: "/notice/:ref?",
    title: { en: "Notice", es: "Aviso" },
    access: "open",
  },
  {
    path: "/legalnotice",
    title: { en: "Contact and Legal Notice", es: "Contacto y aviso legal" },
    access: "open",
  },
  {
    path: "/safety",
    title: { en: "Safety", es: "Seguridad" },
    access: "open",
  },
  {
    path: "/logout",
    title: { en: "Logout", es: "Salir" },
    access: "user",
    navigation: { icon: "logout" },
  },
  {
    path: "/sorry",
    title: { en: "Sorry", es: "Lo sentimos" },
    access: "open",
  },
] as const satisfies readonly RouteShape[];

/** Does not compile if a page of the contract has no route. */
const missing: Exclude<PagePath, (typeof ROUTE_TABLE)[number]["path"]>[] = [];
missing satisfies readonly never[];

export type RoutePath = PagePath | "*";

export interface AppRoute extends RouteShape {
  readonly path: RoutePath;
}

/** Every route of the site. Plain data, because commands import it too; screens.ts maps each one to its screen. */
export const ROUTES: readonly AppRoute[] = ROUTE_TABLE;

/** Any other path, and pages whose existence is hidden from the viewer. */
export const NOT_FOUND: AppRoute = {
  path: "*",
  title: { en: "404 Page Not Found", es: "404 Página no encontrada" },
  access: "open",
};
