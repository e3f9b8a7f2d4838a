import type { Settings } from "@lambda/contract/settings";
import { Icon } from "@lambda/ui/icon";
import { ListRow } from "@lambda/ui/list-row";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { useCopy } from "../../format/i18n.ts";
import { optionalPart } from "../../routing/optional-part.tsx";
import css from "./account.module.css";
import { ACCOUNT_PAGES, type AccountPageId, accountPath } from "./account-pages.ts";
import { pagesCopy } from "./pages-copy.ts";
import { useRowValues } from "./use-row-values.ts";

/** Loaded with the first search, since it has the texts of all pages. */
const SettingsFound = optionalPart(() => import("./SettingsFound.tsx"));

interface AccountIndexProps {
  settings: Settings;
  /** The page in the other pane. */
  shown: AccountPageId | undefined;
}

/** The seven rows of the account with their present values, and a search over the labels of all pages. */
export function AccountIndex({ settings, shown }: AccountIndexProps) {
  const copy = useCopy(pagesCopy);
  const values = useRowValues(settings);
  const [search, setSearch] = useState("");
  return (
    <nav className="stack gap-3 content-start" aria-label={copy.back}>
      <TextField
        type="search"
        label={copy.search}
        value={search}
        autoComplete="off"
        onChange={(event) => setSearch(event.target.value)}
      />
      {search.trim() !== "" ? (
        <SettingsFound search={search} />
      ) : (
        <ul className={css.rows}>
          {ACCOUNT_PAGES.map(({ id, icon }) => (
            <li key={id}>
              <ListRow
                href={accountPath(id)}
                leading={<Icon name={icon} />}
                title={copy.pages[id]}
                text={<span className={css.value}>{values[id] || "\u00a0"}</span>}
                current={id === shown}
              />
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
