import type { Settings } from "@lambda/contract/settings";
import type { ComponentType } from "react";
import { lazyScreen } from "../../../../routing/lazy-part.tsx";
import type { AccountPageId } from "../account-pages.ts";

export interface AccountPageProps {
  settings: Settings;
  /** Id of the section that is open at first; without it the first one is. */
  open: string | undefined;
}

export const PAGES: Readonly<Record<AccountPageId, ComponentType<AccountPageProps>>> = {
  visibility: lazyScreen<AccountPageProps>(() => import("./VisibilityPage.tsx")),
  contact: lazyScreen<AccountPageProps>(() => import("./ContactPage.tsx")),
  notifications: lazyScreen<AccountPageProps>(() => import("./NotificationsPage.tsx")),
  phone: lazyScreen<AccountPageProps>(() => import("./PhonePage.tsx")),
  look: lazyScreen<AccountPageProps>(() => import("./LookPage.tsx")),
  login: lazyScreen<AccountPageProps>(() => import("./LoginPage.tsx")),
  data: lazyScreen<AccountPageProps>(() => import("./DataPage.tsx")),
};
