/**
 * The addresses that have a page. The web application says what each draws, and the worker answers all others with 404: an address
 * of a mail or a search engine is either a page or none.
 */
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
  "/games/dungeon",
  "/games/health",
  "/games/arbitration",
  "/profileEdit",
  "/profile/:profileId?",
  "/profilePicEdit",
  "/profilePicCarousel",
  "/profilePicRateSwipe",
  "/profilePicUpload",
  "/settings",
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

/** Whether a path is one of this pattern. A trailing slash changes nothing, letter case does. */
export function fitsPage(pattern: string, path: string): boolean {
  const [wanted, parts] = [segments(pattern), segments(path)];
  if (parts.length > wanted.length) return false;
  return wanted.every((segment, at) => {
    const part = parts[at];
    if (segment.startsWith(":")) return part !== undefined || segment.endsWith("?");
    return segment === part;
  });
}

function segments(path: string): string[] {
  return path.split("/").filter(Boolean);
}
