import { APPEAL_TEXT_MIN_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { TextArea } from "@lambda/ui/text-area";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "./appeal-form.module.css";

/** The single appeal that each side has. */
export function AppealForm({ reportId, onSent }: { reportId: number; onSent: () => void }) {
  const copy = useCopy(gamesCopy).dungeon;
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const appeal = trpc.reports.appeal.useMutation({ onSuccess: onSent });
  if (!open) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>{copy.appeal}</Button>
      </div>
    );
  }
  const length = text.trim().length;
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        appeal.mutate({ reportId, text });
      }}
    >
      <TextArea
        label={copy.appeal}
        help={copy.appealHelp}
        value={text}
        max={TEXT_MAX_CHARS}
        error={appeal.isError ? errorText(appeal.error) : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={appeal.isPending}
          disabled={length < APPEAL_TEXT_MIN_CHARS || length > TEXT_MAX_CHARS}
        >
          {copy.appealSend}
        </Button>
      </div>
    </form>
  );
}
