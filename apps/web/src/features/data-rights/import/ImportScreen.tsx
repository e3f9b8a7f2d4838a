import { cleanText } from "@lambda/contract/primitives";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { DropZone } from "@lambda/ui/drop-zone";
import { ProgressBar } from "@lambda/ui/progress-bar";
import { Skeleton } from "@lambda/ui/skeleton";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { dateAndTime } from "../../../format/time.ts";
import { useSession } from "../../../session/session.ts";
import type { ArchiveProblem } from "./archive-problem.ts";
import css from "./import.module.css";
import { useImportCopy } from "./import-copy.ts";
import { type Failure, PARTS, type PartName, type Preview, useImport } from "./use-import.ts";

const ENTRY_SHOWN_CHARS = 80;

/** A name from the file, which may contain anything. */
const shownEntry = (entry: string) => cleanText(entry).replace(/\s+/g, " ").slice(0, ENTRY_SHOWN_CHARS);

/** Opens an export of any site of this software and fills what is empty here. */
export default function ImportScreen() {
  const copy = useImportCopy();
  const { profileId } = useSession();
  const { state, open, start, restart } = useImport(profileId);
  if (profileId === 0) return <Skeleton shape="rows" />;
  return (
    <div className="stack gap-5 measure">
      {state.at === "choosing" && (
        <>
          <p>{copy.lead}</p>
          <DropZone
            label={copy.choose}
            help={copy.help}
            icon="download"
            accept=".zip,application/zip"
            error={state.problem && <Problem problem={state.problem} />}
            onFiles={([file]) => file && void open(file)}
          />
        </>
      )}
      {state.at === "reading" && <ProgressBar label={copy.reading} showLabel />}
      {state.at === "importing" && (
        <ProgressBar label={copy.importing} showLabel value={state.done / Math.max(1, state.total)} />
      )}
      {state.at === "done" && <Result failures={state.failures} />}
      {(state.at === "preview" || state.at === "done") && (
        <PreviewForm
          key={state.at}
          preview={state.preview}
          isRest={state.at === "done"}
          onStart={(chosen) => void start(state.preview, chosen)}
          onOther={restart}
        />
      )}
    </div>
  );
}

function Problem({ problem }: { problem: ArchiveProblem | "offline" }) {
  const copy = useImportCopy();
  if (problem === "offline") return copy.offline;
  return (
    <>
      {copy.problems[problem.reason]} {problem.entry && <b dir="auto">{shownEntry(problem.entry)}</b>}
    </>
  );
}

function Result({ failures }: { failures: readonly Failure[] }) {
  const copy = useImportCopy();
  if (failures.length === 0) {
    return (
      <Banner tone="success" role="status">
        {copy.done}
      </Banner>
    );
  }
  return (
    <Banner tone="warn" role="alert">
      <p>{copy.failed(failures.length)}</p>
      <ul className="break-anywhere">
        {failures.map(({ part, entry, reason }) => (
          <li key={`${part} ${entry}`}>
            {entry === undefined ? copy.parts[part] : shownEntry(entry)}: {reason}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

interface PreviewFormProps {
  preview: Preview;
  /** Shown after an import, with what did not come. */
  isRest: boolean;
  onStart: (chosen: ReadonlySet<PartName>) => void;
  onOther: () => void;
}

function PreviewForm({ preview, isRest, onStart, onOther }: PreviewFormProps) {
  const copy = useImportCopy();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data } = preview.exported;
  const coming = PARTS.filter((part) => brings(preview, part) > 0);
  const [skipped, setSkipped] = useState<ReadonlySet<PartName>>(new Set());
  const [isMine, setMine] = useState(preview.isOwnAddress || isRest);
  const chosen = new Set(coming.filter((part) => !skipped.has(part)));
  // The file input that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  const toggle = (part: PartName) => {
    const next = new Set(skipped);
    if (!next.delete(part)) next.add(part);
    setSkipped(next);
  };
  return (
    <section className="stack gap-5" aria-labelledby={headingId}>
      <div>
        <h2 id={headingId} ref={heading} tabIndex={-1} className="break-anywhere" dir="auto">
          {copy.from(shownEntry(data.site), dateAndTime(data.exported))}
        </h2>
        <p className="muted break-anywhere" dir="auto">
          {copy.of(shownEntry(data.account[0].email))}
        </p>
      </div>
      {!preview.isOwnAddress && !isRest && (
        <Banner tone="warn">
          <p>{copy.otherAddress}</p>
          <Checkbox label={copy.mine} checked={isMine} onValue={setMine} />
        </Banner>
      )}
      <ul className="stack plain-list">
        {PARTS.map((part) => (
          <li key={part} className="py-2 ruled">
            <Checkbox
              label={copy.parts[part]}
              help={<PartHelp preview={preview} part={part} />}
              checked={chosen.has(part)}
              disabled={!coming.includes(part)}
              onChange={() => toggle(part)}
            />
          </li>
        ))}
      </ul>
      <div className={`stack gap-2 ruled ${css.stays}`}>
        <h3>{copy.stays}</h3>
        <p>{copy.staysCounts(data.notes.length, data.blocks.length, data.likes.length, data.messages.length)}</p>
        <p className="muted break-anywhere">{copy.staysText}</p>
      </div>
      <div className="wrap gap-3">
        {isRest && <Button href="/profile" label={copy.view} />}
        {(!isRest || chosen.size > 0) && (
          <Button
            variant="primary"
            disabled={chosen.size === 0 || !isMine}
            label={isRest ? copy.rest : copy.start}
            onClick={() => onStart(chosen)}
          />
        )}
        <Button label={copy.other} onClick={onOther} />
      </div>
    </section>
  );
}

function brings({ plan, newPictures, newVoice }: Preview, part: PartName): number {
  if (part === "pictures") return newPictures.length;
  if (part === "voice") return newVoice ? 1 : 0;
  const planned = plan[part];
  return "fills" in planned ? planned.fills.length : planned.added.length;
}

function PartHelp({ preview, part }: { preview: Preview; part: PartName }): ReactNode {
  const copy = useImportCopy();
  const { plan, newPictures, newVoice, exported } = preview;
  const lines: string[] = [];
  if (part === "pictures") {
    const here = exported.pictures.length - newPictures.length;
    if (newPictures.length > 0) lines.push(copy.count(newPictures.length), copy.pictureHelp);
    if (here > 0) lines.push(copy.here(here));
  } else if (part === "voice") {
    if (exported.voice) lines.push(newVoice ? copy.count(1) : copy.here(1));
  } else {
    const planned = plan[part];
    if ("fills" in planned) {
      const names = (fields: readonly (keyof typeof copy.fields)[]) =>
        fields.map((field) => copy.fields[field]).join(", ");
      if (planned.fills.length > 0) lines.push(copy.fills(names(planned.fills)));
      if (planned.left.length > 0) lines.push(copy.left(names(planned.left)));
      if (part === "health" && planned.fills.length > 0) lines.push(copy.healthHelp);
    } else {
      if (planned.added.length > 0) lines.push(copy.count(planned.added.length));
      if (planned.left > 0) lines.push(copy.noRoom(planned.left));
      if (part === "trips" && planned.added.length > 0) lines.push(copy.tripsHelp);
    }
  }
  return (lines.length > 0 ? lines : [copy.nothing]).map((line) => (
    <span key={line} className="block" dir="auto">
      {line}
    </span>
  ));
}
