import type { CaseFile } from "@lambda/contract/admin";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Button } from "@lambda/ui/button";
import { trpc } from "../../../api/trpc.ts";
import { useAction } from "../../../components/use-action.ts";
import { currentLocale, useCopy } from "../../../format/i18n.ts";
import { useDashboardCopy } from "./copy.ts";

export function ActionList({ actions }: { actions: CaseFile["actions"] }) {
  const copy = useDashboardCopy();
  const rules = useCopy(ruleCopy);
  const lift = trpc.admin.lift.useMutation(useAction({ refresh: [trpc.admin] }));
  if (actions.length === 0) return null;
  return (
    <>
      <h3>{copy.actions}</h3>
      <ul className="stack plain-list">
        {actions.map((action) => (
          <li className="row gap-4 between py-2 ruled-below" key={action.id}>
            <span>
              <strong>{copy.kinds[action.kind]}</strong> · {rules[action.rule]} ·{" "}
              {new Date(action.tsCreated).toLocaleDateString(currentLocale())}
              {action.tsUntil && ` – ${new Date(action.tsUntil).toLocaleDateString(currentLocale())}`}
              <small className="block">{action.reason}</small>
            </span>
            {action.tsLifted ? (
              <span className="muted">{copy.lifted}</span>
            ) : (
              <Button label={copy.lift} onClick={() => lift.mutate({ id: action.id })} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
