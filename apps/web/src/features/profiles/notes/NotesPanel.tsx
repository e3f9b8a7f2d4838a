import { PRIVATE_TAG_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Icon } from "@lambda/ui/icon";
import { Skeleton } from "@lambda/ui/skeleton";
import { TextArea } from "@lambda/ui/text-area";
import { useRef } from "react";
import { QueryErrorState } from "../../../components/QueryErrorState.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { profileCopy } from "../copy.ts";
import { SaveStateLabel } from "../edit/SaveStateLabel.tsx";
import { TagEditor } from "../edit/TagEditor.tsx";
import { useLatestState, useOnLeave } from "../edit/use-on-leave.ts";
import css from "./notes-panel.module.css";
import { useNote } from "./use-note.ts";

/** The viewer's private note and tags about this member, which nobody else can read. */
export function NotesPanel({ aboutId }: { aboutId: number }) {
  const copy = useCopy(profileCopy);
  const { note, query, state, save } = useNote(aboutId);
  const [text, setText] = useLatestState<string | undefined>(undefined);
  const pendingText = useRef<string>(undefined);
  const shown = text.current ?? note?.bodyText ?? "";
  const tooLong = shown.trim().length > TEXT_MAX_CHARS;
  const onBlur = () => {
    const draft = text.current;
    if (!note || draft === undefined || draft === pendingText.current || tooLong) return;
    if (draft.trim() === note.bodyText) return setText(undefined);
    pendingText.current = draft;
    // The draft stays in the field until it is saved; the member may go on typing.
    void save({ bodyText: draft.trim() }).then((isSaved) => {
      pendingText.current = undefined;
      if (isSaved && text.current === draft) setText(undefined);
    });
  };
  useOnLeave(onBlur);
  return (
    <section className={css.notes} aria-label={copy.notes}>
      <div className={css.head}>
        <h3>{copy.notes}</h3>
        <SaveStateLabel state={state} />
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
            onBlur={onBlur}
          />
          <TagEditor
            tags={note.privateTags}
            maxLength={PRIVATE_TAG_MAX_CHARS}
            onChange={(privateTags) => save({ privateTags })}
          />
        </>
      ) : query.isError ? (
        <QueryErrorState title={copy.noteFailed} retryLabel={copy.retry} query={query} />
      ) : (
        <Skeleton height="5em" width="100%" />
      )}
    </section>
  );
}
