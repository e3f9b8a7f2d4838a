import type { Settings } from "@lambda/contract/settings";
import type { ComponentType } from "react";
import { lazyPart } from "../../../routing/lazy-part.ts";
import type { AccountPageId } from "../account-pages.ts";

export interface AccountPageProps {
  settings: Settings;
  /** Id of the section that is open at first; without it the first one is. */
  open: string | undefined;
}

export const PAGES: Readonly<Record<AccountPageId, ComponentType<AccountPageProps>>> = {
  visibility: lazyPart<AccountPageProps>(() => import("./VisibilityPage.tsx")),
  contact: lazyPart<AccountPageProps>(() => import("./ContactPage.tsx")),
  notifications: lazyPart<AccountPageProps>(() => import("./NotificationsPage.tsx")),
  phone: lazyPart<AccountPageProps>(() => import("./PhonePage.tsx")),
  look: lazyPart<AccountPageProps>(() => import("./LookPage.tsx")),
  login: lazyPart<AccountPageProps>(() => import("./LoginPage.tsx")),
  data: lazyPart<AccountPageProps>(() => import("./DataPage.tsx")),
};
