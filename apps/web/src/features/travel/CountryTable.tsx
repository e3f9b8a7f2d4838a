import { PUNISHING, REVIEWED_ON } from "@lambda/contract/punishing";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { countryName } from "./country-name.ts";
import { lawText } from "./law-text.ts";
import { stayCopy } from "./stay-copy.ts";
import css from "./travel.module.css";

/** The laws of all countries in the table, for members who plan a trip. */
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
        {copy.tableText} {REVIEWED_ON === null ? copy.notReviewed : copy.reviewed(REVIEWED_ON)}
      </p>
      <dl>
        {rows.map(({ entry, name }) => (
          <div key={entry.country}>
            <dt>{name}</dt>
            <dd>{lawText(entry, copy)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
