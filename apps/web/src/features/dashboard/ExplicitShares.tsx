import type { Locale } from "@lambda/contract/accounts";
import { trpc } from "../../api/trpc.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

/** Shares at which laws begin to ask for proof of age. */
const A_QUARTER = 0.25;
const A_THIRD = 1 / 3;

/** How many of the pictures that others can see are explicit, by country: laws count it. */
export function ExplicitShares() {
  const { shares: copy } = useCopy(dashboardCopy);
  const [locale] = useLocale();
  const { data } = trpc.admin.explicitShare.useQuery();
  if (!data) return null;
  const number = (value: number) => value.toLocaleString(locale);
  const percent = (share: number) => share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 1 });
  const [first] = data.items;
  const several = data.items.some(({ brand }) => brand !== first?.brand);
  return (
    <section aria-labelledby="explicit-shares">
      <h2 id="explicit-shares">{copy.title}</h2>
      <p className={css.muted}>{copy.lead}</p>
      {first ? (
        <div className={css.scroll}>
          <table className={css.table}>
            <thead>
              <tr>
                {several && <th scope="col">{copy.brand}</th>}
                <th scope="col">{copy.country}</th>
                <th scope="col" data-number>
                  {copy.pictures}
                </th>
                <th scope="col" data-number>
                  {copy.explicit}
                </th>
                <th scope="col" data-number>
                  {copy.share}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.items.map(({ brand, country, pictures, explicit }) => {
                const share = explicit / pictures;
                return (
                  <tr key={`${brand} ${country}`}>
                    {several && <td>{brand}</td>}
                    <th scope="row">{country === "" ? copy.elsewhere : countryName(country, locale)}</th>
                    <td data-number>{number(pictures)}</td>
                    <td data-number>{number(explicit)}</td>
                    <td data-number>
                      {percent(share)}
                      {share >= A_QUARTER && <small> {share > A_THIRD ? copy.third : copy.quarter}</small>}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      ) : (
        <p className={css.muted}>{copy.none}</p>
      )}
    </section>
  );
}

/** "US-TX" is Texas: its law asks, not its country's. */
function countryName(code: string, locale: Locale): string {
  const [country = "", state] = code.split("-");
  const name = new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country;
  return state === undefined ? name : `${name}, ${state}`;
}
