import type { IconName } from "@lambda/ui/icon-paths";

/** The pages of the account, each addressed by its id as the hash of /settings. */
export const ACCOUNT_PAGES = [
  { id: "visibility", icon: "eye", sections: ["sharing", "position", "places", "travel"] },
  { id: "contact", icon: "chat", sections: ["first", "covers", "words", "blocked"] },
  { id: "notifications", icon: "bell", sections: [] },
  { id: "phone", icon: "lock", sections: ["lock", "disguise", "exit", "plan"] },
  { id: "look", icon: "globe", sections: [] },
  { id: "login", icon: "user", sections: ["account", "passkeys", "sessions"] },
  { id: "data", icon: "download", sections: ["download", "deletion", "version", "location"] },
] as const satisfies readonly { id: string; icon: IconName; sections: readonly string[] }[];

type AccountPage = (typeof ACCOUNT_PAGES)[number];
export type AccountPageId = AccountPage["id"];
/** A hash that leads to a page or to one section of it. */
export type AccountHash = AccountPageId | AccountPage["sections"][number];

export function pageOfHash(hash: string): AccountPageId | undefined {
  const isOn = ({ id, sections }: { id: string; sections: readonly string[] }) =>
    id === hash || sections.includes(hash);
  return ACCOUNT_PAGES.find(isOn)?.id;
}

export const accountPath = (hash: AccountHash) => `/settings#${hash}`;
