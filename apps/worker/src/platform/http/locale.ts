import type { Locale } from "@lambda/contract/accounts";

/** The browser's first language that the site has, or English. */
export function localeOf(request: Request): Locale {
  const languages = (request.headers.get("accept-language") ?? "")
    .split(",")
    .map((part) => part.trim().slice(0, 2).toLowerCase());
  return languages.find((code) => code === "en" || code === "es") ?? "en";
}
