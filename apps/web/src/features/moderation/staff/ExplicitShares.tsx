import type { Locale } from "@lambda/contract/accounts";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useLocale } from "../../../format/i18n.ts";
import { useDashboardCopy } from "./copy.ts";
import { ScrolledTable } from "./ScrolledTable.tsx";

/** Shares from which some laws require age verification. */
const A_QUARTER = 0.25;
const A_THIRD = 1 / 3;

/** The share of explicit pictures among all visible pictures, by country, because some laws depend on it. */
export function ExplicitShares() {
  const { shares: copy } = useDashboardCopy();
  const [locale] = useLocale();
  const query = trpc.admin.explicitShare.useQuery();
  const { data } = query;
  if (!data) return <QueryState query={query} />;
  const formatCount = (value: number) => value.toLocaleString(locale);
  const formatShare = (share: number) => share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 1 });
  const [first] = data.items;
  const hasSeveralBrands = data.items.some(({ brand }) => brand !== first?.brand);
  return (
    <section aria-labelledby="explicit-shares">
      <h2 id="explicit-shares">{copy.title}</h2>
      <p className="muted">{copy.lead}</p>
      {first ? (
        <ScrolledTable
          label={copy.title}
          columns={[
            ...(hasSeveralBrands ? [copy.brand] : []),
            copy.country,
            { number: copy.pictures },
            { number: copy.explicit },
            { number: copy.share },
          ]}
        >
          {data.items.map(({ brand, country, pictures, explicit }) => {
            const share = explicit / pictures;
            return (
              <tr key={`${brand} ${country}`}>
                {hasSeveralBrands && <td>{brand}</td>}
                <th scope="row">{country === "" ? copy.elsewhere : countryName(country, locale)}</th>
                <td data-number>{formatCount(pictures)}</td>
                <td data-number>{formatCount(explicit)}</td>
                <td data-number>
                  {formatShare(share)}
                  {share >= A_QUARTER && (
                    <small className="block"> {share > A_THIRD ? copy.third : copy.quarter}</small>
                  )}
                </td>
              </tr>
            );
          })}
        </ScrolledTable>
      ) : (
        <p className="muted">{copy.none}</p>
      )}
    </section>
  );
}

/** The code of a country or of a US state ("US-TX"), because some of these laws are state laws. */
function countryName(code: string, locale: Locale): string {
  const [country = "", state] = code.split("-");
  const name = new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country;
  return new Intl.ListFormat(locale, { type: "unit" }).format(state === undefined ? [name] : [name, state]);
}
