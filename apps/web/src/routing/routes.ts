import { PAGES, type Page, type PagePath } from "@lambda/contract/pages";
import type { IconName } from "@lambda/ui/icon-paths";

export type RoutePath = PagePath | "*";
export type AppRoute = Page<RoutePath, IconName>;

/** Every route of the site; screens.ts maps each one to its screen. */
export const ROUTES: readonly AppRoute[] = PAGES;

/** Any other path, and pages whose existence is hidden from the viewer. */
export const NOT_FOUND: AppRoute = {
  path: "*",
  title: { en: "404 Page Not Found", es: "404 Página no encontrada" },
  access: "open",
};
