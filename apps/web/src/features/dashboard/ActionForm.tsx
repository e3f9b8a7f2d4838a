import type { JurySanction } from "@lambda/contract/arbitration";
import type { ActionKind, Rule } from "@lambda/contract/moderation";
import { Button } from "@lambda/ui/button";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { useToast } from "@lambda/ui/toast";
import { type FormEvent, useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import { ruleCopy } from "../../components/ReportDialog/rule-copy.ts";
import { useCopy } from "../../format/i18n.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

interface ActionFormProps {
  subjectProfileId: number;
  rule?: Rule;
  /** The case that it decides. */
  reportId?: number;
  /** That case can be closed without action. */
  closable?: boolean;
  pictureId?: number;
  /** What a jury recommends: the form starts with it. */
  recommended?: JurySanction | null;
  /** Suspensions and bans are open to this admin, not only warnings. */
  everywhere: boolean;
}

/** Warn, hide, suspend or ban, with rule and reason; or close the case. */
export function ActionForm(props: ActionFormProps) {
  const { reportId, closable = false, recommended = null } = props;
  const copy = useCopy(dashboardCopy);
  const form = useActionForm(props);
  const { reason } = form.fields;
  const tooShort = reason.trim().length < 3;
  return (
    <form className={css.form} onSubmit={form.submit}>
      <h3>{copy.act}</h3>
      <ActionFields form={form} everywhere={props.everywhere} />
      <TextArea
        label={copy.reason}
        value={reason}
        minRows={2}
        onChange={(event) => form.set({ reason: event.target.value })}
      />
      <div className={css.acts}>
        <Button type="submit" variant="danger" busy={form.acting} disabled={tooShort}>
          {recommended ? copy.confirm : copy.doIt}
        </Button>
        {reportId !== undefined && closable && (
          <Button busy={form.dismissing} disabled={tooShort} onClick={() => form.dismiss(reportId)}>
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
  const copy = useCopy(dashboardCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const [fields, setFields] = useState<ActionFieldValues>({
    kind: recommended?.startsWith("suspend") ? "suspend" : "warn",
    rule,
    reason: "",
    days: recommended === "suspend_30" ? "30" : "7",
    picture: pictureId === undefined ? "" : String(pictureId),
  });
  const set = (changed: Partial<ActionFieldValues>) => setFields((before) => ({ ...before, ...changed }));
  const answers = {
    onSuccess: () => {
      toast({ text: copy.done, tone: "success" as const });
      set({ reason: "" });
      void utils.admin.invalidate();
    },
    onError: (error: unknown) => toast({ text: errorText(error), tone: "danger" as const }),
  };
  const act = trpc.admin.act.useMutation(answers);
  const dismiss = trpc.admin.dismiss.useMutation(answers);
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
    acting: act.isPending,
    dismiss: (id: number) => dismiss.mutate({ id, reason: fields.reason }),
    dismissing: dismiss.isPending,
  };
}

const KINDS = ["warn", "hide_picture", "suspend", "ban"] as const;

interface ActionFieldsProps {
  form: ReturnType<typeof useActionForm>;
  everywhere: boolean;
}

function ActionFields({ form, everywhere }: ActionFieldsProps) {
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
          onChange={(event) => form.set({ days: event.target.value })}
        />
      )}
      {kind === "hide_picture" && (
        <TextField
          label={copy.pictureId}
          inputMode="numeric"
          value={picture}
          onChange={(event) => form.set({ picture: event.target.value })}
        />
      )}
    </div>
  );
}
