import { PRIVATE_TAG_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Icon } from "@lambda/ui/icon";
import { SaveState } from "@lambda/ui/save-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { TextArea } from "@lambda/ui/text-area";
import { useRef } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { profileCopy } from "../copy.ts";
import { TagEditor } from "../edit/TagEditor.tsx";
import { useLatest, useLeaving } from "../edit/use-leaving.ts";
import css from "./notes-panel.module.css";
import { useNote } from "./use-note.ts";

/** What the viewer wants to remember of this member; nobody else ever reads it. */
export function NotesPanel({ aboutId }: { aboutId: number }) {
  const copy = useCopy(profileCopy);
  const { note, state, save } = useNote(aboutId);
  const [text, setText] = useLatest<string | undefined>(undefined);
  const sending = useRef<string>(undefined);
  const shown = text.current ?? note?.bodyText ?? "";
  const tooLong = shown.trim().length > TEXT_MAX_CHARS;
  const words = { idle: null, saving: copy.saving, saved: copy.saved, failed: copy.notSaved }[state];
  const leave = () => {
    const written = text.current;
    if (!note || written === undefined || written === sending.current || tooLong) return;
    if (written.trim() === note.bodyText) return setText(undefined);
    sending.current = written;
    // Until it is saved it stays in the field, with what is written meanwhile.
    void save({ bodyText: written.trim() }).then((kept) => {
      sending.current = undefined;
      if (kept && text.current === written) setText(undefined);
    });
  };
  useLeaving(leave);
  return (
    <section className={css.notes} aria-label={copy.notes}>
      <div className={css.head}>
        <h3>{copy.notes}</h3>
        <SaveState state={state}>{words}</SaveState>
      </div>
      <p className={css.hint}>
        <Icon name="lock" size={18} />
        {copy.notesHint}
      </p>
      {note ? (
        <>
          <TextArea
            label={copy.note}
            value={shown}
            max={TEXT_MAX_CHARS}
            minRows={2}
            error={tooLong ? copy.tooLong : undefined}
            onChange={(event) => setText(event.target.value)}
            onBlur={leave}
          />
          <TagEditor
            tags={note.privateTags}
            maxLength={PRIVATE_TAG_MAX_CHARS}
            onChange={(privateTags) => save({ privateTags })}
          />
        </>
      ) : (
        <Skeleton height="5em" width="100%" />
      )}
    </section>
  );
}
