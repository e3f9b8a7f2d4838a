/** Every page of the site: the web application maps each to a screen, and the worker responds with 404 to all other paths. */

/** Who may open a route; "visitor" means only when logged out. The server decides separately what a screen may read. */
export type Access = "open" | "visitor" | "user" | "admin";

/** Submenus of the side navigation. */
export type NavigationGroup = "chat" | "likes" | "notifications";

interface LocalizedText {
  readonly en: string;
  readonly es: string;
}

interface Layout<Icon extends string> {
  /** The entry in the side navigation; entries appear in the table's order. */
  readonly navigation?: {
    /** By its name in `packages/ui`. */
    readonly icon: Icon;
    /** Replaces the title in the navigation. */
    readonly label?: LocalizedText;
    readonly group?: NavigationGroup;
    /** Hides the entry from viewers who may open the route but do not need it. */
    readonly shownTo?: Access;
  };
  /** No margins and no width limit (map, tiles, chat). */
  readonly fullWidth?: true;
  /** Its tabs say the title already, so that a phone shows the brand in its place. */
  readonly isTab?: true;
  /** Its own parts scroll, and it leaves no room below. */
  readonly fillsWindow?: true;
  /** Its screen has the `h1`: a member's name, which the title must not be. */
  readonly isNamed?: true;
  /** A step of a task: no menu, tabs, bell or notices, and the primary action sticks at the bottom. */
  readonly isStep?: true;
}

export interface Page<Path extends string, Icon extends string> extends Layout<Icon> {
  readonly path: Path;
  readonly title: LocalizedText;
  readonly access: Access;
}

/** The access and the title, in English and Spanish, are on the line of the path. */
const page = <Path extends string, Icon extends string = never>(
  path: Path,
  access: Access,
  [en, es]: readonly [en: string, es: string],
  more: Layout<Icon> = {},
): Page<Path, Icon> => ({ path, access, title: { en, es }, ...more });

export const PAGES = [
  page("/", "open", ["Home", "Inicio"], { navigation: { icon: "home" }, fullWidth: true }),
  page("/login", "visitor", ["Login", "Entrar"], { navigation: { icon: "login" } }),
  page("/register", "open", ["Register", "Registro"], { navigation: { icon: "user", shownTo: "visitor" } }),
  page("/welcome", "user", ["Welcome", "Bienvenida"], { isStep: true }),
  page("/search/map", "user", ["Gaydar Map", "Mapa gaydar"], {
    navigation: { icon: "map" },
    fillsWindow: true,
    fullWidth: true,
  }),
  page("/search/tile", "user", ["Picture Tiles", "Mosaico de fotos"], {
    navigation: { icon: "tiles", label: { en: "Profile Tiles", es: "Mosaico de perfiles" } },
    fullWidth: true,
    isTab: true,
  }),
  page("/search/swype", "user", ["Swype Pics", "Deslizar fotos"], {
    navigation: { icon: "cards", label: { en: "Swype Profiles", es: "Deslizar perfiles" } },
    fullWidth: true,
    isTab: true,
  }),
  page("/search/profile", "user", ["Details by Distance", "Detalles por distancia"], {
    navigation: { icon: "list", label: { en: "Read Profiles", es: "Leer perfiles" } },
    fullWidth: true,
    isTab: true,
  }),
  page("/chat/personal", "user", ["Your Conversations", "Tus conversaciones"], {
    navigation: { icon: "chat", group: "chat", label: { en: "Personal Chat", es: "Chat personal" } },
    fillsWindow: true,
    fullWidth: true,
    isTab: true,
  }),
  page("/chat/broadcast", "user", ["Broadcast Messages", "Mensajes para todos"], {
    navigation: { icon: "broadcast", group: "chat", label: { en: "Map Chat", es: "Chat del mapa" } },
    fillsWindow: true,
    fullWidth: true,
    isTab: true,
  }),
  page("/likes/profilelikedyou", "user", ["Likes", "Me gusta"], {
    navigation: { icon: "heart", group: "likes", label: { en: "Liked You", es: "Les gustas" } },
    isTab: true,
  }),
  page("/likes/profilelikedyourpics", "user", ["Liked Your Pics", "Les gustan tus fotos"], {
    navigation: { icon: "picture", group: "likes", label: { en: "Your Pics", es: "Tus fotos" } },
    isTab: true,
  }),
  page("/likes/youlikedprofile", "user", ["You Liked", "Te gustan"], {
    navigation: { icon: "heart-filled", group: "likes", label: { en: "You Liked", es: "Te gustan" } },
    isTab: true,
  }),
  page("/likes/youlikedprofilepics", "user", ["Liked Their Pics", "Te gustan sus fotos"], {
    navigation: { icon: "star", group: "likes", label: { en: "Their Pics", es: "Sus fotos" } },
    isTab: true,
  }),
  page("/notifications", "user", ["Notifications", "Avisos"], { navigation: { icon: "bell", group: "notifications" } }),
  page("/notes", "user", ["My Notes", "Mis notas"], { navigation: { icon: "lock" } }),
  page("/games", "user", ["Community and Games", "Comunidad y juegos"], {
    navigation: { icon: "games", label: { en: "Community", es: "Comunidad" } },
  }),
  page("/games/gptbuster", "user", ["GPT Buster!", "¡Cazabots!"]),
  page("/games/cooties", "user", ["You got Cooties!", "¡La llevas!"]),
  page("/games/hotornot", "user", ["Hot! or Not!", "¿Sí o no?"]),
  page("/games/ratinggame", "user", ["The Rating Game", "El juego de clasificar"]),
  page("/games/photocrop", "user", ["Help my Photos", "Ayuda con mis fotos"]),
  page("/games/ishim", "user", ["Is it him?", "¿Es él?"]),
  page("/games/identify", "user", ["3 2 1 Identify!", "3 2 1 ¡Identifica!"]),
  page("/games/dungeon", "user", ["Bad Boy Dungeon", "El calabozo de los malos"]),
  page("/games/health", "user", ["Health Incident Report", "Aviso de salud"]),
  page("/games/arbitration", "user", ["Community Arbitration", "Arbitraje de la comunidad"]),
  page("/checked", "user", ["Get Checked", "Verificarte"]),
  page("/profileEdit", "user", ["Edit Profile", "Editar el perfil"], { navigation: { icon: "edit" } }),
  page("/profile/:profileId?", "user", ["View Profile", "Perfil"], { fullWidth: true, isNamed: true }),
  page("/profilePicEdit", "user", ["Edit Profile Pic", "Editar la foto"]),
  page("/profilePicCarousel", "user", ["Pictures", "Fotos"], { fullWidth: true }),
  page("/profilePicRateSwipe", "user", ["Rate Pictures", "Valorar fotos"]),
  page("/profilePicUpload", "user", ["Upload a Picture", "Subir una foto"]),
  page("/settings", "user", ["Account", "Cuenta"], { navigation: { icon: "gear" } }),
  page("/import", "user", ["Bring your data", "Traer tus datos"]),
  page("/travel", "user", ["Trips", "Viajes"]),
  page("/travel/here", "user", ["Safety", "Seguridad"]),
  page("/dashboard", "admin", ["Admin Dashboard", "Panel de administración"], { navigation: { icon: "crown" } }),
  page("/aboutus", "open", ["About Us", "Quiénes somos"], { navigation: { icon: "info" } }),
  page("/support", "open", ["Support", "Ayuda"], { navigation: { icon: "shield", shownTo: "visitor" } }),
  page("/billing", "user", ["Membership Dues", "Cuotas"]),
  page("/contactus", "user", ["Contact Us", "Contacto"]),
  page("/tos", "open", ["Terms of Service", "Condiciones del servicio"], {
    navigation: { icon: "scales", shownTo: "visitor" },
  }),
  page("/transparency", "open", ["Transparency", "Transparencia"], { navigation: { icon: "eye", shownTo: "visitor" } }),
  page("/age", "open", ["Proof of Age", "Prueba de edad"]),
  page("/remove-image", "open", ["Remove an Image", "Retirar una imagen"]),
  page("/notice/:ref?", "open", ["Notice", "Aviso"]),
  page("/legalnotice", "open", ["Contact and Legal Notice", "Contacto y aviso legal"]),
  page("/safety", "open", ["Safety", "Seguridad"]),
  page("/logout", "user", ["Logout", "Salir"], { navigation: { icon: "logout" } }),
  page("/sorry", "open", ["Sorry", "Lo sentimos"]),
];

export type PagePath = (typeof PAGES)[number]["path"];

/** Whether a path matches a pattern, whose parameter may be left out. Ignores a trailing slash, as the router does, but is case-sensitive. */
export function matchesPagePath(pattern: string, path: string): boolean {
  const [fixed = "", parameter] = pattern.split(/\/:|\/$/);
  const rest = parameter ? /^(\/[^/]+)?\/?$/ : /^\/?$/;
  return path.startsWith(fixed) && rest.test(path.slice(fixed.length));
}
