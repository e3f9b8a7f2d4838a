import { Icon } from "@lambda/ui/icon";
import { ListRow } from "@lambda/ui/list-row";
import { ACCOUNT_PAGES, accountPath } from "./account-pages.ts";
import { usePagesCopy } from "./pages-copy.ts";
import { useSettingLabels } from "./use-setting-labels.ts";

/** In lower case and without accents, so that "bloqueo" and "Bloquéo" are one word. */
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The settings whose label, or whose page's name, has every word of the search. */
export default function SettingsFound({ search }: { search: string }) {
  const copy = usePagesCopy();
  const labels = useSettingLabels();
  const words = plain(search).split(/\s+/).filter(Boolean);
  const found = ACCOUNT_PAGES.flatMap((page) =>
    labels[page.id]
      .map(([hash, label]) => ({ page, hash, label }))
      .filter(({ label }) => words.every((word) => plain(`${label} ${copy.pages[page.id]}`).includes(word))),
  );
  return (
    <>
      <p role="status" className="muted">
        {found.length === 0 ? copy.nothing : copy.found(found.length)}
      </p>
      <ul className="plain-list edge-rows">
        {found.map(({ page, hash, label }) => (
          <li key={`${hash} ${label}`}>
            <ListRow
              href={accountPath(hash)}
              leading={<Icon name={page.icon} />}
              title={label}
              text={copy.pages[page.id]}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
