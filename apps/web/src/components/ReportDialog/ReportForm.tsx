import { TEXT_MAX_CHARS } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Picture } from "@lambda/ui/picture";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { pictureUrl } from "../../api/picture-url.ts";
import { trpc } from "../../api/trpc.ts";
import { onClearLocalData } from "../../device/clear-local-data.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { useCopy } from "../../format/i18n.ts";
import { Form } from "../Form.tsx";
import { useReportCopy } from "./copy.ts";
import type { CheckReport, ReportTarget } from "./ReportDialog.tsx";
import css from "./report-dialog.module.css";

function useFileReport(onDone: () => void) {
  const copy = useReportCopy();
  const toast = useToast();
  const onSuccess = ({ isRepeated }: { isRepeated?: boolean }) => {
    toast({ text: isRepeated ? copy.joined : copy.sent, tone: "success" });
    onDone();
  };
  return [trpc.reports.file.useMutation({ onSuccess }), trpc.reports.fileCheck.useMutation({ onSuccess })] as const;
}

interface Draft {
  readonly category: Rule | undefined;
  readonly text: string;
  readonly evidence: readonly number[];
  readonly withVoice: boolean;
}

const EMPTY: Draft = { category: undefined, text: "", evidence: [], withVoice: false };
/** Reports that were closed half-written, in memory only, by what they are about. */
const drafts = new Map<string, Draft>();
onClearLocalData(() => drafts.clear());

function useDraft(key: string) {
  const [draft, setDraft] = useState(() => drafts.get(key) ?? EMPTY);
  const change = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes };
    drafts.set(key, next);
    setDraft(next);
  };
  return [draft, change, () => drafts.delete(key)] as const;
}

export default function ReportForm({ reported, onDone }: { reported: ReportTarget | CheckReport; onDone: () => void }) {
  const copy = useReportCopy();
  const rules = useCopy(ruleCopy);
  const [{ category, text, evidence, withVoice }, change, discard] = useDraft(JSON.stringify(reported));
  const [tried, setTried] = useState(false);
  const [fileReport, fileCheck] = useFileReport(() => {
    discard();
    onDone();
  });
  const isCheck = "checkItemId" in reported;
  const report = isCheck ? fileCheck : fileReport;
  const tooLong = text.length > TEXT_MAX_CHARS;
  // A message, a picture or a recording needs no description, but a report of a bare profile could not be judged.
  const lacksEvidence = text.trim() === "" && evidence.length === 0 && !withVoice && !isCheck && !reported.message;
  const submit = () => {
    setTried(true);
    if (!category || lacksEvidence || tooLong || report.isPending) return;
    if (isCheck) return fileCheck.mutate({ itemId: reported.checkItemId, category, text });
    const { subjectProfileId, message, voiceId } = reported;
    const about = message && { source: message.source, sourceId: message.id, messageIds: [message.id] };
    fileReport.mutate({
      subjectProfileId,
      category,
      text,
      pictureIds: [...evidence],
      ...(withVoice && { voiceId }),
      ...about,
    });
  };
  return (
    <Form className="stack gap-4" onSubmit={submit}>
      <p>{copy.intro}</p>
      <Select
        label={copy.category}
        value={category ?? ""}
        error={tried && !category ? copy.unchosen : undefined}
        onValue={(chosen) => change({ category: chosen || undefined })}
        options={[
          { value: "", label: copy.choose },
          ...(Object.keys(rules) as Rule[]).map((value) => ({ value, label: rules[value] })),
        ]}
      />
      {(category === "threat" || category === "minor") && <Banner tone="warn">{copy.urgent}</Banner>}
      <TextArea
        label={copy.text}
        help={copy.help}
        value={text}
        max={TEXT_MAX_CHARS}
        error={tooLong ? copy.tooLong(TEXT_MAX_CHARS) : tried && lacksEvidence ? copy.tell : undefined}
        onValue={(text) => change({ text })}
      />
      <PictureEvidence
        pictureIds={(!isCheck && reported.pictureIds) || []}
        chosen={evidence}
        onChoose={(ids) => change({ evidence: ids })}
      />
      {!isCheck && reported.voiceId !== undefined && (
        <Checkbox label={copy.voice} checked={withVoice} onValue={(withVoice) => change({ withVoice })} />
      )}
      <Problem text={report.isError && errorText(report.error)} />
      <Button
        type="submit"
        variant="primary"
        icon="flag"
        busy={report.isPending}
        label={report.isPending ? copy.sending : copy.send}
      />
    </Form>
  );
}

interface PictureEvidenceProps {
  pictureIds: readonly number[];
  chosen: readonly number[];
  onChoose: (ids: readonly number[]) => void;
}

function PictureEvidence({ pictureIds, chosen, onChoose }: PictureEvidenceProps) {
  const copy = useReportCopy();
  const [nsfw] = useNsfw();
  if (pictureIds.length === 0) return null;
  return (
    <fieldset className={`stack gap-2 ${css.evidence}`}>
      <legend>{copy.evidence}</legend>
      {pictureIds.map((id, index) => (
        <label className="relative" key={id}>
          <input
            type="checkbox"
            aria-label={copy.pictureNumber(index + 1)}
            checked={chosen.includes(id)}
            onChange={() => onChoose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])}
          />
          <Picture alt="" src={pictureUrl(id, 96, nsfw)} />
        </label>
      ))}
    </fieldset>
  );
}
