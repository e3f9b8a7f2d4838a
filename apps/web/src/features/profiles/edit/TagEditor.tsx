import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { isSubmitKey } from "../../../components/submit-key.ts";
import { useProfileCopy } from "../copy.ts";
import css from "../notes/notes.module.css";

interface TagEditorProps {
  tags: readonly string[];
  maxLength: number;
  onChange: (tags: string[]) => void;
}

/** Enter or the Tag button adds a new tag if it is not empty or a duplicate; a click on a tag removes it. */
export function TagEditor({ tags, maxLength, onChange }: TagEditorProps) {
  const copy = useProfileCopy();
  const [draft, setDraft] = useState("");
  const tag = draft.trim();
  const isDuplicate = tags.includes(tag);
  const add = () => {
    if (tag === "" || isDuplicate) return;
    onChange([...tags, tag]);
    setDraft("");
  };
  return (
    <div className="stack gap-3">
      <div className={`stack gap-3 align-end ${css.add}`}>
        <TextField
          autoComplete="off"
          label={copy.tag}
          placeholder={copy.newTag}
          value={draft}
          maxLength={maxLength}
          error={isDuplicate ? copy.sameTag : undefined}
          onValue={setDraft}
          onKeyDown={(event) => {
            if (!isSubmitKey(event)) return;
            event.preventDefault();
            add();
          }}
        />
        <Button label={copy.addTag} onClick={add} disabled={tag === "" || isDuplicate} />
      </div>
      {tags.length > 0 && (
        <ChipRow label={copy.tag}>
          {tags.map((name) => (
            <Chip
              key={name}
              label={name}
              onRemove={() => onChange(tags.filter((other) => other !== name))}
              removeLabel={copy.removeTag(name)}
            />
          ))}
        </ChipRow>
      )}
    </div>
  );
}
