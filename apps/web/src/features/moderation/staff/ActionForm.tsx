import type { CaseFile } from "@lambda/contract/admin";
import type { JurySanction } from "@lambda/contract/arbitration";
import type { ActionKind, Rule } from "@lambda/contract/moderation";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Button } from "@lambda/ui/button";
import { Select } from "@lambda/ui/select";
import { useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { Form } from "../../../components/Form.tsx";
import { useAction } from "../../../components/use-action.ts";
import { currentLocale, useCopy } from "../../../format/i18n.ts";
import { useDashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { Decide, isReason, NumberField, ReasonField, RuleSelect } from "./file-parts.tsx";

interface ActionFormProps {
  subjectProfileId: number;
  rule?: Rule;
  reportId?: number;
  /** Shows the button that closes the case without action. */
  canDismiss?: boolean;
  pictureId?: number;
  /** A jury's recommendation, which the form preselects. */
  recommended?: JurySanction | null;
  /** False for admins who can only warn and hide pictures. */
  canSuspend: boolean;
}

const KINDS = ["warn", "hide_picture", "suspend", "ban"] as const;

export function ActionForm(props: ActionFormProps) {
  const { subjectProfileId, reportId, canDismiss = false, recommended = null, canSuspend } = props;
  const copy = useDashboardCopy();
  // Nothing is chosen for staff but what a jury recommends.
  const [kind, setKind] = useState<ActionKind | "">(recommended?.startsWith("suspend") ? "suspend" : "");
  const [rule, setRule] = useState(props.rule ?? "other");
  const [reason, setReason] = useState("");
  const [days, setDays] = useState(recommended === "suspend_30" ? "30" : "7");
  const [picture, setPicture] = useState(props.pictureId === undefined ? "" : String(props.pictureId));
  const action = useAction({ done: copy.done, onDone: () => setReason(""), refresh: [trpc.admin] });
  const act = trpc.admin.act.useMutation(action);
  const dismiss = trpc.admin.dismiss.useMutation(action);
  const disabled = !isReason(reason);
  const submit = () => kind !== "" && act.mutate({ ...draft, kind });
  const draft = {
    subjectProfileId,
    rule,
    reason,
    ...(kind === "suspend" && { days: Number(days) }),
    ...(kind === "hide_picture" && { pictureId: Number(picture) }),
    ...(reportId !== undefined && { reportId }),
  };
  const kinds = KINDS.filter((value) => canSuspend || value === "warn" || value === "hide_picture");
  return (
    <Form className="stack gap-3" onSubmit={submit}>
      <h3>{copy.act}</h3>
      <div className={css.fields}>
        <Select
          label={copy.kind}
          value={kind}
          onValue={setKind}
          options={[
            ...(kind === "" ? [{ value: "" as const, label: copy.chooseKind }] : []),
            ...kinds.map((value) => ({ value, label: copy.kinds[value] })),
          ]}
        />
        <RuleSelect value={rule} onChange={setRule} />
        {kind === "suspend" && <NumberField label={copy.days} value={days} onChange={setDays} />}
        {kind === "hide_picture" && <NumberField label={copy.pictureId} value={picture} onChange={setPicture} />}
      </div>
      <ReasonField label={copy.reason} value={reason} onChange={setReason} />
      <div className="wrap gap-3 align-end">
        <Button
          type="submit"
          variant="danger"
          busy={act.isPending}
          disabled={disabled || kind === ""}
          label={recommended ? copy.confirm : copy.doIt}
        />
        {reportId !== undefined && canDismiss && (
          <Decide mutation={dismiss} input={{ id: reportId, reason }} disabled={disabled} label={copy.dismiss} />
        )}
      </div>
    </Form>
  );
}

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
