import { resolveBrand } from "@lambda/brands";
import { NOTICE_PICTURES_MAX } from "@lambda/contract/limits";
import { findDevelopmentBrand } from "../../platform/development/hosts.ts";

/** URLs of pictures and profiles in a free text, with or without their host. */
const URL_PATTERN =
  /(?:https?:\/\/([^/\s]+))?(\/(?:api\/)?(?:profile-pic|profile\/pic|profilePicCarousel|profile)[/?][^\s"'<>]*)/gi;

/** Finds the ids of pictures and profiles in a text's URLs of this site, whether they exist or not. */
export function parseReferences(text: string) {
  const pictureIds = new Set<number>();
  const profileIds = new Set<number>();
  for (const [, host, path = ""] of text.matchAll(URL_PATTERN)) {
    if (host !== undefined && !isOwnHost(host)) continue;
    const picture =
      /^\/(?:api\/)?profile(?:-pic|\/pic)\/(?:nsfw\/)?(\d{1,15})\b/i.exec(path) ?? /[?&]id=(\d{1,15})\b/.exec(path);
    const profile = /^\/(?:api\/)?profile\/(\d{1,15})\b/i.exec(path) ?? /[?&]profileId=(\d{1,15})\b/.exec(path);
    if (picture) pictureIds.add(Number(picture[1]));
    if (profile) profileIds.add(Number(profile[1]));
  }
  return {
    pictureIds: [...pictureIds].filter(Boolean).slice(0, NOTICE_PICTURES_MAX),
    profileIds: [...profileIds].filter(Boolean).slice(0, NOTICE_PICTURES_MAX),
  };
}

function isOwnHost(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  return resolveBrand(name) !== undefined || (__DEVELOPMENT__ && findDevelopmentBrand(name) !== undefined);
}
