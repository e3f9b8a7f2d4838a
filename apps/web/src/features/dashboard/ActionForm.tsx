import type { JurySanction } from "@lambda/contract/arbitration";
import { STAFF_REASON_MIN_CHARS } from "@lambda/contract/limits";
import type { ActionKind, Rule } from "@lambda/contract/moderation";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { digitsIn } from "@lambda/contract/typed";
import { Button } from "@lambda/ui/button";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { type FormEvent, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useCopy } from "../../format/i18n.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { useMutationFeedback } from "./use-mutation-feedback.ts";

interface ActionFormProps {
  subjectProfileId: number;
  rule?: Rule;
  /** The case that the action decides. */
  reportId?: number;
  /** Shows the button that closes the case without action. */
  canDismiss?: boolean;
  pictureId?: number;
  /** A jury's recommendation, which the form preselects. */
  recommended?: JurySanction | null;
  /** False for admins who can only warn and hide pictures. */
  canSuspend: boolean;
}

/** Takes an action with rule and reason, or closes the case without one. */
export function ActionForm(props: ActionFormProps) {
  const { reportId, canDismiss = false, recommended = null } = props;
  const copy = useCopy(dashboardCopy);
  const form = useActionForm(props);
  const { reason } = form.fields;
  const isTooShort = reason.trim().length < STAFF_REASON_MIN_CHARS;
  return (
    <form className={css.form} onSubmit={form.submit}>
      <h3>{copy.act}</h3>
      <ActionFields form={form} everywhere={props.canSuspend} />
      <TextArea
        label={copy.reason}
        value={reason}
        minRows={2}
        onChange={(event) => form.set({ reason: event.target.value })}
      />
      <div className={css.buttons}>
        <Button type="submit" variant="danger" busy={form.isActing} disabled={isTooShort}>
          {recommended ? copy.confirm : copy.doIt}
        </Button>
        {reportId !== undefined && canDismiss && (
          <Button busy={form.isDismissing} disabled={isTooShort} onClick={() => form.dismiss(reportId)}>
            {copy.dismiss}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ActionFieldValues {
  readonly kind: ActionKind;
  readonly rule: Rule;
  readonly reason: string;
  readonly days: string;
  readonly picture: string;
}

function useActionForm({ subjectProfileId, rule = "other", reportId, pictureId, recommended }: ActionFormProps) {
  const utils = trpc.useUtils();
  const [fields, setFields] = useState<ActionFieldValues>({
    kind: recommended?.startsWith("suspend") ? "suspend" : "warn",
    rule,
    reason: "",
    days: recommended === "suspend_30" ? "30" : "7",
    picture: pictureId === undefined ? "" : String(pictureId),
  });
  const set = (changes: Partial<ActionFieldValues>) => setFields((current) => ({ ...current, ...changes }));
  const feedback = useMutationFeedback(() => {
    set({ reason: "" });
    return utils.admin.invalidate();
  });
  const act = trpc.admin.act.useMutation(feedback);
  const dismiss = trpc.admin.dismiss.useMutation(feedback);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { kind, days, picture } = fields;
    act.mutate({
      subjectProfileId,
      kind,
      rule: fields.rule,
      reason: fields.reason,
      ...(kind === "suspend" && { days: Number(days) }),
      ...(kind === "hide_picture" && { pictureId: Number(picture) }),
      ...(reportId !== undefined && { reportId }),
    });
  };
  return {
    fields,
    set,
    submit,
    isActing: act.isPending,
    dismiss: (id: number) => dismiss.mutate({ id, reason: fields.reason }),
    isDismissing: dismiss.isPending,
  };
}

const KINDS = ["warn", "hide_picture", "suspend", "ban"] as const;

function ActionFields({ form, everywhere }: { form: ReturnType<typeof useActionForm>; everywhere: boolean }) {
  const copy = useCopy(dashboardCopy);
  const rules = useCopy(ruleCopy);
  const { kind, rule, days, picture } = form.fields;
  const kinds = KINDS.filter((value) => everywhere || value === "warn" || value === "hide_picture");
  return (
    <div className={css.fields}>
      <Select
        label={copy.kind}
        value={kind}
        onChange={(event) => form.set({ kind: event.target.value as ActionKind })}
        options={kinds.map((value) => ({ value, label: copy.kinds[value] }))}
      />
      <Select
        label={copy.rule}
        value={rule}
        onChange={(event) => form.set({ rule: event.target.value as Rule })}
        options={Object.entries(rules).map(([value, label]) => ({ value, label }))}
      />
      {kind === "suspend" && (
        <TextField
          label={copy.days}
          inputMode="numeric"
          value={days}
          onChange={(event) => form.set({ days: digitsIn(event.target.value) })}
        />
      )}
      {kind === "hide_picture" && (
        <TextField
          label={copy.pictureId}
          inputMode="numeric"
          value={picture}
          onChange={(event) => form.set({ picture: digitsIn(event.target.value) })}
        />
      )}
    </div>
  );
}
