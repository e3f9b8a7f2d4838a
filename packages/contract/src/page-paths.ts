/** All paths that have a page. The web application maps each to a screen, and the worker responds with 404 to all others. */
export const PAGE_PATHS = [
  "/",
  "/login",
  "/register",
  "/welcome",
  "/search/map",
  "/search/tile",
  "/search/swype",
  "/search/profile",
  "/chat/personal",
  "/chat/broadcast",
  "/likes/profilelikedyou",
  "/likes/profilelikedyourpics",
  "/likes/youlikedprofile",
  "/likes/youlikedprofilepics",
  "/notifications",
  "/notes",
  "/games",
  "/games/gptbuster",
  "/games/cooties",
  "/games/hotornot",
  "/games/ratinggame",
  "/games/photocrop",
  "/games/identify",
  "/games/ishim",
  "/games/dungeon",
  "/games/health",
  "/games/arbitration",
  "/profileEdit",
  "/checked",
  "/profile/:profileId?",
  "/profilePicEdit",
  "/profilePicCarousel",
  "/profilePicRateSwipe",
  "/profilePicUpload",
  "/settings",
  "/import",
  "/travel",
  "/travel/here",
  "/dashboard",
  "/aboutus",
  "/support",
  "/billing",
  "/contactus",
  "/tos",
  "/transparency",
  "/age",
  "/remove-image",
  "/notice/:ref?",
  "/legalnotice",
  "/safety",
  "/logout",
  "/sorry",
] as const;
export type PagePath = (typeof PAGE_PATHS)[number];

/** Whether a path matches a pattern. Ignores a trailing slash but is case-sensitive. */
export function matchesPagePath(pattern: string, path: string): boolean {
  const [expected, actual] = [segments(pattern), segments(path)];
  if (actual.length > expected.length) return false;
  return expected.every((segment, index) => {
    const part = actual[index];
    if (segment.startsWith(":")) return part !== undefined || segment.endsWith("?");
    return segment === part;
  });
}

const segments = (path: string): string[] => path.split("/").filter(Boolean);
