import { TEXT_MAX_CHARS } from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import type { Profile } from "@lambda/contract/profiles";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Picture } from "@lambda/ui/picture";
import { Select } from "@lambda/ui/select";
import { Sheet } from "@lambda/ui/sheet";
import { TextArea } from "@lambda/ui/text-area";
import { useToast } from "@lambda/ui/toast";
import { type FormEvent, useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { pictureUrl } from "../../api/picture-url.ts";
import { trpc } from "../../api/trpc.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { profileCopy } from "../../features/profiles/copy.ts";
import { useCopy } from "../../format/i18n.ts";
import css from "./report-sheet.module.css";

/** Reports a profile: what is wrong, in words, with his public pictures as evidence where he chooses some. */
export function ReportSheet({ open, profile, onClose }: { open: boolean; profile: Profile; onClose: () => void }) {
  const copy = useCopy(profileCopy).reportForm;
  return (
    <Sheet open={open} onClose={onClose} title={copy.title} closeLabel={copy.close}>
      <ReportForm profile={profile} onDone={onClose} />
    </Sheet>
  );
}

function ReportForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const all = useCopy(profileCopy);
  const copy = all.reportForm;
  const [nsfw] = useNsfw();
  const [category, setCategory] = useState<Rule>("harassment");
  const [text, setText] = useState("");
  const [pictureIds, setPictureIds] = useState<readonly number[]>([]);
  const toast = useToast();
  const report = trpc.reports.file.useMutation({
    onSuccess: () => {
      toast({ text: copy.sent, tone: "success" });
      onDone();
    },
  });
  const tooLong = text.length > TEXT_MAX_CHARS;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tooLong || report.isPending) return;
    report.mutate({ subjectProfileId: profile.id, category, text, pictureIds: [...pictureIds] });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <p>{copy.intro}</p>
      <Select
        label={copy.category}
        value={category}
        onChange={(event) => setCategory(event.target.value as Rule)}
        options={(Object.keys(copy.rules) as Rule[]).map((rule) => ({ value: rule, label: copy.rules[rule] }))}
      />
      {(category === "threat" || category === "minor") && <Banner tone="warn">{copy.urgent}</Banner>}
      <TextArea
        label={copy.text}
        help={copy.help}
        value={text}
        max={TEXT_MAX_CHARS}
        error={tooLong ? all.tooLong : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      {profile.profilePicIds.length > 0 && (
        <fieldset className={css.evidence}>
          <legend>{copy.evidence}</legend>
          {profile.profilePicIds.map((id, index) => (
            <label key={id}>
              <input
                type="checkbox"
                aria-label={copy.pictureNumber(index + 1)}
                checked={pictureIds.includes(id)}
                onChange={() =>
                  setPictureIds((now) => (now.includes(id) ? now.filter((other) => other !== id) : [...now, id]))
                }
              />
              <Picture alt="" src={pictureUrl(id, 96, nsfw)} />
            </label>
          ))}
        </fieldset>
      )}
      {report.isError && (
        <Banner tone="danger" role="alert">
          {errorText(report.error)}
        </Banner>
      )}
      <Button type="submit" variant="primary" icon="flag" busy={report.isPending}>
        {report.isPending ? copy.sending : copy.send}
      </Button>
    </form>
  );
}
