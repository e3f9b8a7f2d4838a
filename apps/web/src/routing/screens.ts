import { type LazyScreen, lazyComponent } from "./lazy-screen.ts";
import type { RoutePath } from "./routes.ts";

const likes = lazyComponent(() => import("../features/likes/LikesScreen.tsx"));

/** What each address draws, a chunk each. */
export const SCREENS: Readonly<Record<RoutePath, LazyScreen>> = {
  "/": lazyComponent(async () => {
    const home = await import("../features/home/HomeScreen.tsx");
    await home.loadPart();
    return home;
  }),
  "/login": lazyComponent(() => import("../features/accounts/LoginScreen.tsx")),
  "/register": lazyComponent(() => import("../features/accounts/RegisterScreen.tsx")),
  "/search/map": lazyComponent(() => import("../features/map/MapScreen.tsx")),
  "/search/tile": lazyComponent(() => import("../features/search/tiles/TileScreen.tsx")),
  "/search/swype": lazyComponent(() => import("../features/search/cards/SwypeScreen.tsx")),
  "/search/profile": lazyComponent(() => import("../features/search/read/ProfileSearchScreen.tsx")),
  "/chat/personal": lazyComponent(() => import("../features/chat/PersonalChatScreen.tsx")),
  "/chat/broadcast": lazyComponent(() => import("../features/chat/broadcast/BroadcastScreen.tsx")),
  "/likes/profilelikedyou": likes,
  "/likes/profilelikedyourpics": likes,
  "/likes/youlikedprofile": likes,
  "/likes/youlikedprofilepics": likes,
  "/notifications": lazyComponent(() => import("../features/notifications/NotificationsScreen.tsx")),
  "/notes": lazyComponent(() => import("../features/profiles/notes/NotesScreen.tsx")),
  "/games": lazyComponent(() => import("../features/games/GamesScreen.tsx")),
  "/games/gptbuster": lazyComponent(() => import("../features/games/guessing/GptBusterScreen.tsx")),
  "/games/cooties": lazyComponent(() => import("../features/games/cooties/CootiesScreen.tsx")),
  "/games/hotornot": lazyComponent(() => import("../features/games/guessing/HotOrNotScreen.tsx")),
  "/games/ratinggame": lazyComponent(() => import("../features/games/guessing/RatingGameScreen.tsx")),
  "/games/photocrop": lazyComponent(() => import("../features/games/photo-crop/PhotoCropScreen.tsx")),
  "/games/identify": lazyComponent(() => import("../features/games/guessing/IdentifyScreen.tsx")),
  "/games/dungeon": lazyComponent(() => import("../features/games/dungeon/DungeonScreen.tsx")),
  "/games/health": lazyComponent(() => import("../features/games/health/HealthScreen.tsx")),
  "/games/arbitration": lazyComponent(() => import("../features/games/arbitration/ArbitrationScreen.tsx")),
  "/profileEdit": lazyComponent(() => import("../features/profiles/edit/EditProfileScreen.tsx")),
  "/profile/:profileId?": lazyComponent(() => import("../features/profiles/view/ViewProfileScreen.tsx")),
  "/profilePicEdit": lazyComponent(() => import("../features/pictures/editor/ProfilePicEditScreen.tsx")),
  "/profilePicCarousel": lazyComponent(() => import("../features/pictures/carousel/CarouselScreen.tsx")),
  "/profilePicRateSwipe": lazyComponent(() => import("../features/pictures/rate/RateSwipeScreen.tsx")),
  "/profilePicUpload": lazyComponent(() => import("../features/pictures/upload/UploadScreen.tsx")),
  "/settings": lazyComponent(() => import("../features/settings/SettingsScreen.tsx")),
  "/dashboard": lazyComponent(() => import("../features/dashboard/DashboardScreen.tsx")),
  "/aboutus": lazyComponent(() => import("../features/pages/AboutScreen.tsx")),
  "/support": lazyComponent(() => import("../features/pages/SupportScreen.tsx")),
  "/billing": lazyComponent(() => import("../features/pages/BillingScreen.tsx")),
  "/contactus": lazyComponent(() => import("../features/pages/ContactScreen.tsx")),
  "/tos": lazyComponent(() => import("../features/pages/terms/TermsScreen.tsx")),
  "/transparency": lazyComponent(() => import("../features/pages/transparency/TransparencyScreen.tsx")),
  "/logout": lazyComponent(() => import("../features/accounts/LogoutScreen.tsx")),
  "/sorry": lazyComponent(() => import("../features/pages/SorryScreen.tsx")),
  "*": lazyComponent(() => import("../features/pages/NotFoundScreen.tsx")),
};
