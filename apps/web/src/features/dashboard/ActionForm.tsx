import type { JurySanction } from "@lambda/contract/arbitration";
import type { ActionKind, Rule } from "@lambda/contract/moderation";
import { Button } from "@lambda/ui/button";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
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
export function ActionForm({
  subjectProfileId,
  rule: first = "other",
  reportId,
  closable = false,
  pictureId,
  recommended = null,
  everywhere,
}: ActionFormProps) {
  const copy = useCopy(dashboardCopy);
  const rules = useCopy(ruleCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const [kind, setKind] = useState<ActionKind>(recommended?.startsWith("suspend") ? "suspend" : "warn");
  const [rule, setRule] = useState<Rule>(first);
  const [reason, setReason] = useState("");
  const [days, setDays] = useState(recommended === "suspend_30" ? "30" : "7");
  const [picture, setPicture] = useState(pictureId === undefined ? "" : String(pictureId));
  const answers = {
    onSuccess: () => {
      toast({ text: copy.done, tone: "success" as const });
      setReason("");
      void utils.admin.invalidate();
    },
    onError: (error: unknown) => toast({ text: errorText(error), tone: "danger" as const }),
  };
  const act = trpc.admin.act.useMutation(answers);
  const dismiss = trpc.admin.dismiss.useMutation(answers);
  const kinds = (["warn", "hide_picture", "suspend", "ban"] as const).filter(
    (value) => everywhere || value === "warn" || value === "hide_picture",
  );
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate({
          subjectProfileId,
          kind,
          rule,
          reason,
          ...(kind === "suspend" && { days: Number(days) }),
          ...(kind === "hide_picture" && { pictureId: Number(picture) }),
          ...(reportId !== undefined && { reportId }),
        });
      }}
    >
      <h3>{copy.act}</h3>
      <div className={css.fields}>
        <Select
          label={copy.kind}
          value={kind}
          onChange={(event) => setKind(event.target.value as ActionKind)}
          options={kinds.map((value) => ({ value, label: copy.kinds[value] }))}
        />
        <Select
          label={copy.rule}
          value={rule}
          onChange={(event) => setRule(event.target.value as Rule)}
          options={Object.entries(rules).map(([value, label]) => ({ value, label }))}
        />
        {kind === "suspend" && (
          <TextField
            label={copy.days}
            inputMode="numeric"
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        )}
        {kind === "hide_picture" && (
          <TextField
            label={copy.pictureId}
            inputMode="numeric"
            value={picture}
            onChange={(event) => setPicture(event.target.value)}
          />
        )}
      </div>
      <TextArea label={copy.reason} value={reason} minRows={2} onChange={(event) => setReason(event.target.value)} />
      <div className={css.acts}>
        <Button type="submit" variant="danger" busy={act.isPending} disabled={reason.trim().length < 3}>
          {recommended ? copy.confirm : copy.doIt}
        </Button>
        {reportId !== undefined && closable && (
          <Button
            busy={dismiss.isPending}
            disabled={reason.trim().length < 3}
            onClick={() => dismiss.mutate({ id: reportId, reason })}
          >
            {copy.dismiss}
          </Button>
        )}
      </div>
    </form>
  );
}
