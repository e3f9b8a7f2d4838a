import { PRIVATE_TAG_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Icon } from "@lambda/ui/icon";
import { TextArea } from "@lambda/ui/text-area";
import { useToast } from "@lambda/ui/toast";
import { useRef, useState } from "react";
import { QueryState } from "../../../components/QueryState.tsx";
import { useKeptDraft } from "../../../components/use-kept-draft.ts";
import { useProfileCopy } from "../copy.ts";
import { SaveStateLabel } from "../edit/SaveStateLabel.tsx";
import { TagEditor } from "../edit/TagEditor.tsx";
import { useOnLeave } from "../edit/use-on-leave.ts";
import css from "./notes.module.css";
import { useNote } from "./use-note.ts";

/** The viewer's private note and tags about this member, which nobody else can read. One line until written. */
export function NotesPanel({ aboutId }: { aboutId: number }) {
  const copy = useProfileCopy();
  const { note, query, state, save } = useNote(aboutId);
  const [text, setText, readText] = useKeptDraft<string>(`note ${aboutId}`);
  const toast = useToast();
  const pendingText = useRef<string>(undefined);
  const [isOpened, setOpened] = useState(false);
  const shown = text ?? note?.bodyText ?? "";
  const tooLong = shown.trim().length > TEXT_MAX_CHARS;
  const onBlur = () => {
    const draft = readText();
    if (!note || draft === undefined || draft === pendingText.current || tooLong) return;
    if (draft.trim() === note.bodyText) return setText(undefined);
    pendingText.current = draft;
    // The draft stays in the field until it is saved; the member may go on typing.
    void save({ bodyText: draft.trim() }).then((isSaved) => {
      pendingText.current = undefined;
      if (isSaved && readText() === draft) setText(undefined);
    });
  };
  useOnLeave((isGone) => {
    if (isGone && tooLong) toast({ text: copy.noteWaits, tone: "danger" });
    onBlur();
  });
  const isEmpty = note !== undefined && text === undefined && note.bodyText === "" && note.privateTags.length === 0;
  return (
    <details
      className={css.notes}
      open={isOpened || (note ? !isEmpty : query.isError)}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary className="fold row gap-2">
        <Icon name="lock" size={20} />
        <h2 className="type-lead">{copy.notes}</h2>
        <Icon name="chevron-down" size={20} />
      </summary>
      <p className="row between muted type-mark">
        {copy.notesHint}
        <SaveStateLabel state={state} />
      </p>
      {note ? (
        <>
          <TextArea
            label={copy.note}
            value={shown}
            max={TEXT_MAX_CHARS}
            minRows={2}
            error={tooLong ? copy.tooLong : undefined}
            onValue={setText}
            onBlur={() => onBlur()}
          />
          <TagEditor
            tags={note.privateTags}
            maxLength={PRIVATE_TAG_MAX_CHARS}
            onChange={(privateTags) => save({ privateTags })}
          />
        </>
      ) : (
        <QueryState query={query} failed={copy.noteFailed} height="5em" width="100%" />
      )}
    </details>
  );
}
