import type { IconName } from "@lambda/ui/icon";
import { type LazyScreen, lazyComponent } from "./lazy-screen.ts";

/** Who may open a route. visitor: only when logged out. What a screen may read is the server's decision. */
export type Access = "open" | "visitor" | "user" | "admin";

/** Menus of the side navigation. */
export type NavigationGroup = "chat" | "likes" | "notifications";

interface Words {
  readonly en: string;
  readonly es: string;
}

export interface AppRoute {
  readonly path: string;
  /** Page title. */
  readonly title: Words;
  readonly access: Access;
  readonly screen: LazyScreen;
  /** Entry in the side navigation, in the table's order. */
  readonly navigation?: {
    readonly icon: IconName;
    /** Differs from the title where SPEC.md names the entry otherwise. */
    readonly label?: Words;
    readonly group?: NavigationGroup;
    /** Narrower than the route's own access, where the entry would be noise to others. */
    readonly shownTo?: Access;
  };
  /** The screen uses the whole area: no gutters, no width limit (map, tiles, chat). */
  readonly bleed?: true;
  /** An open screen that makes no call for a visitor: what makes calls is not loaded with it. */
  readonly quiet?: true;
}

const likes = lazyComponent(() => import("../features/likes/LikesScreen.tsx"));

/** Every address of the site. */
export const ROUTES: readonly AppRoute[] = [
  {
    path: "/",
    title: { en: "Home", es: "Inicio" },
    access: "open",
    screen: lazyComponent(async () => {
      const home = await import("../features/home/HomeScreen.tsx");
      await home.loadPart();
      return home;
    }),
    navigation: { icon: "home" },
    bleed: true,
    quiet: true,
  },
  {
    path: "/login",
    title: { en: "Login", es: "Entrar" },
    access: "visitor",
    screen: lazyComponent(() => import("../features/accounts/LoginScreen.tsx")),
    navigation: { icon: "login" },
  },
  {
    path: "/register",
    title: { en: "Register", es: "Registro" },
    access: "open",
    screen: lazyComponent(() => import("../features/accounts/RegisterScreen.tsx")),
    navigation: { icon: "user", shownTo: "visitor" },
  },
  {
    path: "/search/map",
    title: { en: "Gaydar Map", es: "Mapa gaydar" },
    access: "user",
    screen: lazyComponent(() => import("../features/map/MapScreen.tsx")),
    navigation: { icon: "map" },
    bleed: true,
  },
  {
    path: "/search/tile",
    title: { en: "Picture Tiles", es: "Mosaico de fotos" },
    access: "user",
    screen: lazyComponent(() => import("../features/search/tiles/TileScreen.tsx")),
    navigation: { icon: "tiles", label: { en: "Profile Tiles", es: "Mosaico de perfiles" } },
    bleed: true,
  },
  {
    path: "/search/swype",
    title: { en: "Swype Pics", es: "Deslizar fotos" },
    access: "user",
    screen: lazyComponent(() => import("../features/search/cards/SwypeScreen.tsx")),
    navigation: { icon: "cards", label: { en: "Swype Profiles", es: "Deslizar perfiles" } },
  },
  {
    path: "/search/profile",
    title: { en: "Details by Distance", es: "Detalles por distancia" },
    access: "user",
    screen: lazyComponent(() => import("../features/search/read/ProfileSearchScreen.tsx")),
    navigation: { icon: "list", label: { en: "Read Profiles", es: "Leer perfiles" } },
  },
  {
    path: "/chat/personal",
    title: { en: "Your Conversations", es: "Tus conversaciones" },
    access: "user",
    screen: lazyComponent(() => import("../features/chat/PersonalChatScreen.tsx")),
    navigation: { icon: "chat", group: "chat", label: { en: "Personal Chat", es: "Chat personal" } },
    bleed: true,
  },
  {
    path: "/chat/broadcast",
    title: { en: "Broadcast Messages", es: "Mensajes para todos" },
    access: "user",
    screen: lazyComponent(() => import("../features/chat/broadcast/BroadcastScreen.tsx")),
    navigation: { icon: "broadcast", group: "chat", label: { en: "Map Chat", es: "Chat del mapa" } },
    bleed: true,
  },
  {
    path: "/likes/profilelikedyou",
    title: { en: "Likes", es: "Me gusta" },
    access: "user",
    screen: likes,
    navigation: { icon: "heart", group: "likes", label: { en: "Liked You", es: "Les gustas" } },
  },
  {
    path: "/likes/profilelikedyourpics",
    title: { en: "Liked Your Pics", es: "Les gustan tus fotos" },
    access: "user",
    screen: likes,
    navigation: { icon: "picture", group: "likes", label: { en: "Your Pics", es: "Tus fotos" } },
  },
  {
    path: "/likes/youlikedprofile",
    title: { en: "You Liked", es: "Te gustan" },
    access: "user",
    screen: likes,
    navigation: { icon: "heart-filled", group: "likes", label: { en: "You Liked", es: "Te gustan" } },
  },
  {
    path: "/likes/youlikedprofilepics",
    title: { en: "Liked Their Pics", es: "Te gustan sus fotos" },
    access: "user",
    screen: likes,
    navigation: { icon: "star", group: "likes", label: { en: "Their Pics", es: "Sus fotos" } },
  },
  {
    path: "/notifications",
    title: { en: "Notifications", es: "Avisos" },
    access: "user",
    screen: lazyComponent(() => import("../features/notifications/NotificationsScreen.tsx")),
    navigation: { icon: "bell", group: "notifications" },
  },
  {
    path: "/notes",
    title: { en: "My Notes", es: "Mis notas" },
    access: "user",
    screen: lazyComponent(() => import("../features/profiles/notes/NotesScreen.tsx")),
    navigation: { icon: "lock" },
  },
  {
    path: "/games",
    title: { en: "Community and Games", es: "Comunidad y juegos" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/GamesScreen.tsx")),
    navigation: { icon: "games", label: { en: "Community", es: "Comunidad" } },
  },
  {
    path: "/games/gptbuster",
    title: { en: "GPT Buster!", es: "¡Cazabots!" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/guessing/GptBusterScreen.tsx")),
  },
  {
    path: "/games/cooties",
    title: { en: "You got Cooties!", es: "¡La llevas!" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/cooties/CootiesScreen.tsx")),
  },
  {
    path: "/games/hotornot",
    title: { en: "Hot! or Not!", es: "¿Sí o no?" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/guessing/HotOrNotScreen.tsx")),
  },
  {
    path: "/games/ratinggame",
    title: { en: "The Rating Game", es: "El juego de clasificar" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/guessing/RatingGameScreen.tsx")),
  },
  {
    path: "/games/photocrop",
    title: { en: "Help my Photos", es: "Ayuda con mis fotos" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/photo-crop/PhotoCropScreen.tsx")),
  },
  {
    path: "/games/identify",
    title: { en: "3 2 1 Identify!", es: "3 2 1 ¡Identifica!" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/guessing/IdentifyScreen.tsx")),
  },
  {
    path: "/games/dungeon",
    title: { en: "Bad Boy Dungeon", es: "El calabozo de los malos" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/dungeon/DungeonScreen.tsx")),
  },
  {
    path: "/games/health",
    title: { en: "Health Incident Report", es: "Aviso de salud" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/health/HealthScreen.tsx")),
  },
  {
    path: "/games/arbitration",
    title: { en: "Community Arbitration", es: "Arbitraje de la comunidad" },
    access: "user",
    screen: lazyComponent(() => import("../features/games/arbitration/ArbitrationScreen.tsx")),
  },
  {
    path: "/profileEdit",
    title: { en: "Edit Profile", es: "Editar el perfil" },
    access: "user",
    screen: lazyComponent(() => import("../features/profiles/edit/EditProfileScreen.tsx")),
    navigation: { icon: "edit" },
  },
  {
    path: "/profile/:profileId?",
    title: { en: "View Profile", es: "Perfil" },
    access: "user",
    screen: lazyComponent(() => import("../features/profiles/view/ViewProfileScreen.tsx")),
    bleed: true,
  },
  {
    path: "/profilePicEdit",
    title: { en: "Edit Profile Pic", es: "Editar la foto" },
    access: "user",
    screen: lazyComponent(() => import("../features/pictures/editor/ProfilePicEditScreen.tsx")),
  },
  {
    path: "/profilePicCarousel",
    title: { en: "Pictures", es: "Fotos" },
    access: "user",
    screen: lazyComponent(() => import("../features/pictures/carousel/CarouselScreen.tsx")),
    bleed: true,
  },
  {
    path: "/profilePicRateSwipe",
    title: { en: "Rate Pictures", es: "Valorar fotos" },
    access: "user",
    screen: lazyComponent(() => import("../features/pictures/rate/RateSwipeScreen.tsx")),
  },
  {
    path: "/profilePicUpload",
    title: { en: "Upload a Picture", es: "Subir una foto" },
    access: "user",
    screen: lazyComponent(() => import("../features/pictures/upload/UploadScreen.tsx")),
  },
  {
    path: "/settings",
    title: { en: "Account", es: "Cuenta" },
    access: "user",
    screen: lazyComponent(() => import("../features/settings/SettingsScreen.tsx")),
    navigation: { icon: "gear" },
  },
  {
    path: "/dashboard",
    title: { en: "Admin Dashboard", es: "Panel de administración" },
    access: "admin",
    screen: lazyComponent(() => import("../features/dashboard/DashboardScreen.tsx")),
    navigation: { icon: "crown" },
  },
  {
    path: "/aboutus",
    title: { en: "About Us", es: "Quiénes somos" },
    access: "open",
    screen: lazyComponent(() => import("../features/pages/AboutScreen.tsx")),
    navigation: { icon: "info" },
    quiet: true,
  },
  {
    path: "/support",
    title: { en: "Support", es: "Ayuda" },
    access: "open",
    screen: lazyComponent(() => import("../features/pages/SupportScreen.tsx")),
    navigation: { icon: "shield" },
  },
  {
    path: "/billing",
    title: { en: "Membership Dues", es: "Cuotas" },
    access: "user",
    screen: lazyComponent(() => import("../features/pages/BillingScreen.tsx")),
    navigation: { icon: "star" },
  },
  {
    path: "/contactus",
    title: { en: "Contact Us", es: "Contacto" },
    access: "user",
    screen: lazyComponent(() => import("../features/pages/ContactScreen.tsx")),
    navigation: { icon: "mail" },
  },
  {
    path: "/tos",
    title: { en: "Terms of Service", es: "Condiciones del servicio" },
    access: "open",
    screen: lazyComponent(() => import("../features/pages/terms/TermsScreen.tsx")),
    navigation: { icon: "scales" },
    quiet: true,
  },
  {
    path: "/transparency",
    title: { en: "Transparency", es: "Transparencia" },
    access: "open",
    screen: lazyComponent(() => import("../features/pages/transparency/TransparencyScreen.tsx")),
    navigation: { icon: "eye" },
  },
  {
    path: "/logout",
    title: { en: "Logout", es: "Salir" },
    access: "user",
    screen: lazyComponent(() => import("../features/accounts/LogoutScreen.tsx")),
    navigation: { icon: "logout" },
  },
  {
    path: "/sorry",
    title: { en: "Sorry", es: "Lo sentimos" },
    access: "open",
    screen: lazyComponent(() => import("../features/pages/SorryScreen.tsx")),
    quiet: true,
  },
];

/** Any other path, and what a viewer may not know of. */
export const NOT_FOUND: AppRoute = {
  path: "*",
  title: { en: "404 Page Not Found", es: "404 Página no encontrada" },
  access: "open",
  screen: lazyComponent(() => import("../features/pages/NotFoundScreen.tsx")),
  quiet: true,
};
