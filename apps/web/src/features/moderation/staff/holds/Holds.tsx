import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { trpc } from "../../../../api/trpc.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useCopy } from "../../../../format/i18n.ts";
import css from "../dashboard.module.css";
import { useHoldsCopy } from "./copy.ts";
import { HoldPanel } from "./HoldPanel.tsx";

/** All holds in the admin's scope, soonest to end first, including those of deleted cases and accounts. */
export function Holds() {
  const copy = useHoldsCopy();
  const rules = useCopy(ruleCopy);
  const query = trpc.admin.holds.list.useQuery({});
  const { data } = query;
  if (!data) return <QueryState query={query} shape="rows" count={4} />;
  const waiting = data.items.filter(({ request }) => request?.mine === "no").length;
  return (
    <div className={css.section}>
      {waiting > 0 && <Banner tone="warn">{copy.waiting(waiting)}</Banner>}
      {data.items.length === 0 && <p className="muted">{copy.empty}</p>}
      {data.items.map((hold) => (
        <article key={hold.holdRef} className="stack gap-3">
          <h2>
            {copy.case(hold.reportId)}: {rules[hold.rule]}
          </h2>
          <p className="muted">
            {hold.brand} · <code>{hold.caseRef}</code>
          </p>
          <HoldPanel hold={hold} />
        </article>
      ))}
    </div>
  );
}
