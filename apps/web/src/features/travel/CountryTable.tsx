import { PUNISHING, REVIEWED } from "@lambda/contract/punishing";

import { useCopy, useLocale } from "../../format/i18n.ts";
import { countryName } from "./country-name.ts";
import { lawText } from "./law-text.ts";
import { stayCopy } from "./stay-copy.ts";
import css from "./travel.module.css";

/** The whole table, for whoever plans a trip. */
export function CountryTable() {
  const copy = useCopy(stayCopy);
  const [locale] = useLocale();
  const rows = PUNISHING.map((entry) => ({ entry, name: countryName(entry.country, locale) })).sort((one, other) =>
    one.name.localeCompare(other.name, locale),
  );
  return (
    <details className={css.table}>
      <summary>{copy.table}</summary>
      <p className={css.muted}>
        {copy.tableText} {REVIEWED === null ? copy.notReviewed : copy.reviewed(REVIEWED)}
      </p>
      <dl>
        {rows.map(({ entry, name }) => (
          <div key={entry.country}>
            <dt>{name}</dt>
            <dd>{lawText(entry, copy).sentence}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
