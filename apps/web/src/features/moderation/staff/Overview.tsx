import { missingContacts } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { ROLE_COUNTS_REFETCH_MS, TEST_USERS_MAX } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { BarChart } from "@lambda/ui/bar-chart";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { ListRow } from "@lambda/ui/list-row";
import { Stat, StatRow } from "@lambda/ui/stat";
import { useToast } from "@lambda/ui/toast";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAction } from "../../../components/use-action.ts";
import { currentLocale, useLocale } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { fetchRegions } from "../../places/map/data/regions.ts";
import { useDashboardCopy } from "./copy.ts";
import { useQueueKeys } from "./Desk.tsx";
import css from "./dashboard.module.css";
import { OpeningChecklist } from "./opening/OpeningChecklist.tsx";
import { ScrolledTable } from "./ScrolledTable.tsx";
import { isUrgent, useDue, useTimeLeft } from "./use-due.ts";

const DUE_SHOWN = 10;

/** What is due, member counts by role, figures and warnings for the operator, and the button that creates test members. */
export function Overview() {
  const copy = useDashboardCopy();
  const roles = trpc.admin.userRoleCounts.useQuery(undefined, { refetchInterval: ROLE_COUNTS_REFETCH_MS });
  const formatCount = (value: number) => value.toLocaleString(currentLocale());
  const counts = roles.data?.items;
  return (
    <div className={css.section}>
      <OpeningChecklist />
      <DueList />
      {counts ? (
        <>
          <StatRow>
            {counts.map(({ role, count }) => (
              <Stat key={role} label={role} value={formatCount(count)} />
            ))}
          </StatRow>
          <div className={css.chart}>
            <BarChart
              title={copy.chart}
              nameAxis={copy.role}
              valueAxis={copy.users}
              bars={counts.map(({ role, count }) => ({ name: role, value: count }))}
              format={formatCount}
            />
          </div>
        </>
      ) : (
        <QueryState query={roles} height="16rem" width="100%" />
      )}
      <ExplicitShares />
      <MissingContacts />
      <Regions />
      <TestUsers />
    </div>
  );
}

/** What waits for staff, what is due first at the top. */
function DueList() {
  const copy = useDashboardCopy();
  const timeLeft = useTimeLeft();
  const { items, query } = useDue();
  const queue = useQueueKeys();
  if (!items) return <QueryState query={query} shape="rows" count={4} />;
  return (
    <section ref={queue} aria-labelledby="due">
      <h2 id="due">{copy.due.title}</h2>
      {items.length === 0 && <p className="muted">{copy.nothingDue}</p>}
      {items.slice(0, DUE_SHOWN).map((item) => (
        <div key={item.href} className="edge-rows" data-row>
          <ListRow
            href={item.href}
            title={item.title}
            text={item.text}
            time={timeLeft(item.tsDue)}
            dateTime={item.tsDue}
            unread={isUrgent(item)}
          />
        </div>
      ))}
      {items.length > DUE_SHOWN && <p className="muted">{copy.moreDue(items.length - DUE_SHOWN)}</p>}
      {items.length > 0 && <p className={`muted ${css.keys}`}>{copy.keys}</p>}
    </section>
  );
}

/** Warns about contacts that the law requires and the legal notice does not name yet. */
function MissingContacts() {
  const copy = useDashboardCopy();
  const missing = missingContacts(useBrand().contact);
  if (missing.length === 0) return null;
  return (
    <Banner tone="warn" action={<Link href="/legalnotice">{copy.contacts.page}</Link>}>
      {copy.contacts.missing} {missing.map((name) => copy.contacts[name]).join(", ")}.
    </Banner>
  );
}

function TestUsers() {
  const copy = useDashboardCopy();
  const toast = useToast();
  const create = trpc.admin.testUsersCreate.useMutation({
    ...useAction({ refresh: [trpc.admin.userRoleCounts] }),
    onSuccess: ({ created }) => toast({ text: copy.created(created), tone: "success" }),
  });
  return (
    <div className="stack gap-3 items-start measure">
      <Button
        variant="primary"
        icon="plus"
        busy={create.isPending}
        label={copy.create}
        onClick={() => create.mutate({ count: TEST_USERS_MAX })}
      />
      <p className="muted full-width">{copy.createHelp}</p>
    </div>
  );
}

/** The regions with street maps. `npm run streets` adds and removes them. */
function Regions() {
  const { regions: copy } = useDashboardCopy();
  const query = useQuery({ queryKey: ["map", "regions"], queryFn: fetchRegions });
  const { data } = query;
  if (!data) return <QueryState query={query} />;
  const formatMegabytes = (bytes: number) =>
    (bytes / 1e6).toLocaleString(currentLocale(), { maximumFractionDigits: 1 });
  const formatDay = (time: number) => new Date(time).toLocaleDateString(currentLocale(), { dateStyle: "medium" });
  return (
    <section aria-labelledby="map-regions">
      <h2 id="map-regions">{copy.title}</h2>
      {data.length === 0 ? (
        <p className="muted">{copy.none}</p>
      ) : (
        <ul className={`stack gap-2 plain-list ${css.regions}`}>
          {data.map(({ name, bytes, tsInstalled, maxZoom }) => (
            <li key={name}>
              <strong>{name}</strong>
              <span className="muted">{copy.line(formatMegabytes(bytes), formatDay(tsInstalled), maxZoom)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Shares from which some laws require age verification. */
const A_QUARTER = 0.25;
const A_THIRD = 1 / 3;

/** The share of explicit pictures among all visible pictures, by country, because some laws depend on it. */
function ExplicitShares() {
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
