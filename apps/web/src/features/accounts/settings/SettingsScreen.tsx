import type { Settings } from "@lambda/contract/settings";
import { Icon } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { ListRow } from "@lambda/ui/list-row";
import { Skeleton } from "@lambda/ui/skeleton";
import { TextField } from "@lambda/ui/text-field";
import { Suspense, useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useWideScreen } from "../../../components/use-wide-screen.ts";
import { hrefOf, useAddress } from "../../../routing/address.ts";
import { optionalPart } from "../../../routing/optional-part.tsx";
import css from "./account.module.css";
import { ACCOUNT_PAGES, type AccountPageId, accountPath, pageOfHash } from "./account-pages.ts";
import { useSettingsCopy } from "./copy.ts";
import { PAGES } from "./pages/pages.ts";
import { usePagesCopy } from "./pages-copy.ts";
import { useRowValues } from "./use-row-values.ts";

/** The account: an index of seven rows, and the page that the hash names. A wide screen shows both. */
export default function SettingsScreen() {
  const copy = useSettingsCopy();
  const { back, pages } = usePagesCopy();
  const settings = trpc.settings.get.useQuery();
  const hash = useAddress((address) => address.hash.slice(1));
  const confirmsEmail = useAddress(({ search }) => new URLSearchParams(search).has("confirm"));
  const isWide = useWideScreen();
  const asked = confirmsEmail ? "login" : pageOfHash(hash);
  const shown = asked ?? (isWide ? "login" : undefined);
  const heading = usePageFocus(asked, hash);

  if (!settings.data) return <QueryState query={settings} failed={copy.loadFailed} shape="rows" label={copy.loading} />;
  const Page = shown && PAGES[shown];
  return (
    <div className={`min-0 ${css.panes}`}>
      {(isWide || !shown) && <AccountIndex settings={settings.data} shown={shown} />}
      {Page && (
        <div className="min-0 measure">
          {!isWide && (
            <Link href="/settings" className={"tap-target gap-2 undecorated accent bold"}>
              <Icon name="back" />
              {back}
            </Link>
          )}
          <h2 ref={heading} tabIndex={-1} className={`type-title ${css.title}`}>
            {pages[shown]}
          </h2>
          <Suspense fallback={<Skeleton shape="rows" label={copy.loading} />}>
            <Page key={shown} settings={settings.data} open={hash === shown ? undefined : hash} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

/**
 * Moves the focus to the heading of a page that is opened, and back to its row in the index. Only the hash changes, so
 * the router does neither.
 */
function usePageFocus(page: ReturnType<typeof pageOfHash>, hash: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(page);
  useEffect(() => {
    const previous = last.current;
    last.current = page;
    if (previous === page) return;
    const row = previous && document.querySelector<HTMLElement>(`main a[href="${hrefOf(accountPath(previous))}"]`);
    (page ? heading.current : row)?.focus({ preventScroll: true });
    if (!page || hash === page) scrollTo(0, 0);
  }, [page, hash]);
  return heading;
}

/** Loaded with the first search, since it has the texts of all pages. */
const SettingsFound = optionalPart(() => import("./SettingsFound.tsx"));

interface AccountIndexProps {
  settings: Settings;
  /** The page in the other pane. */
  shown: AccountPageId | undefined;
}

/** The seven rows of the account with their present values, and a search over the labels of all pages. */
function AccountIndex({ settings, shown }: AccountIndexProps) {
  const copy = usePagesCopy();
  const values = useRowValues(settings);
  const [search, setSearch] = useState("");
  return (
    <nav className="stack gap-3 content-start" aria-label={copy.back}>
      <TextField type="search" label={copy.search} value={search} autoComplete="off" onValue={setSearch} />
      {search.trim() !== "" ? (
        <SettingsFound search={search} />
      ) : (
        <ul className="plain-list edge-rows">
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
