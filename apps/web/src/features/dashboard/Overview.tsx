import { missingContacts } from "@lambda/brands";
import { ROLE_COUNTS_REFETCH_MS, TEST_USERS_BUTTON_COUNT } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { BarChart } from "@lambda/ui/bar-chart";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { Skeleton } from "@lambda/ui/skeleton";
import { Stat, StatRow } from "@lambda/ui/stat";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { useBrand } from "../../format/site.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { ExplicitShares } from "./ExplicitShares.tsx";
import { Regions } from "./Regions.tsx";

/** Made in steps of this many, so that there is progress to see. */
const STEP = 25;

/** A count for each role, the same as a chart, and test members where the environment allows them. */
export function Overview() {
  const copy = useCopy(dashboardCopy);
  const [locale] = useLocale();
  const { data } = trpc.admin.userRoleCounts.useQuery(undefined, { refetchInterval: ROLE_COUNTS_REFETCH_MS });
  const number = (value: number) => value.toLocaleString(locale);

  const counts = data?.items;
  return (
    <div className={css.section}>
      {counts ? (
        <>
          <StatRow>
            {counts.map(({ role, count }) => (
              <Stat key={role} label={role} value={number(count)} />
            ))}
          </StatRow>
          <div className={css.chart}>
            <BarChart
              title={copy.chart}
              nameAxis={copy.role}
              valueAxis={copy.users}
              bars={counts.map(({ role, count }) => ({ name: role, value: count }))}
              format={number}
            />
          </div>
        </>
      ) : (
        <Skeleton height="16rem" width="100%" label={copy.loading} />
      )}
      <ExplicitShares />
      <MissingContacts />
      <div className={css.acts}>
        <Button href="/transparency#yearly">{copy.yearlyReport}</Button>
      </div>
      <Regions />
      <TestUsers />
    </div>
  );
}

/** Whom the law wants named, as long as the operator has not. */
function MissingContacts() {
  const copy = useCopy(dashboardCopy);
  const missing = missingContacts(useBrand().contact);
  if (missing.length === 0) return null;
  return (
    <Banner tone="warn" action={<Link href="/legalnotice">{copy.contacts.page}</Link>}>
      {copy.contacts.missing} {missing.map((name) => copy.contacts[name]).join(", ")}.
    </Banner>
  );
}

/** Makes test members, with the progress in sight. */
function TestUsers() {
  const copy = useCopy(dashboardCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const create = trpc.admin.testUsersCreate.useMutation();
  const [made, setMade] = useState<number>();
  const createUsers = async () => {
    let done = 0;
    setMade(0);
    try {
      while (done < TEST_USERS_BUTTON_COUNT) {
        done += (await create.mutateAsync({ count: Math.min(STEP, TEST_USERS_BUTTON_COUNT - done) })).created;
        setMade(done);
      }
      toast({ text: copy.created(done), tone: "success" });
    } catch (error) {
      toast({ text: errorText(error), tone: "danger" });
    } finally {
      setMade(undefined);
      void utils.admin.userRoleCounts.invalidate();
    }
  };
  return (
    <div className={css.create}>
      <Button variant="primary" icon="plus" busy={made !== undefined} onClick={() => void createUsers()}>
        {copy.create}
      </Button>
      {made !== undefined ? (
        <ProgressBar
          value={made / TEST_USERS_BUTTON_COUNT}
          label={copy.creating(made, TEST_USERS_BUTTON_COUNT)}
          showLabel
        />
      ) : (
        <p className={css.muted}>{copy.createHelp}</p>
      )}
    </div>
  );
}
