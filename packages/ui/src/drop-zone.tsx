import { type ReactNode, useId, useState } from "react";
import { classes } from "./classes.ts";
import css from "./drop-zone.module.css";
import { Icon, type IconName } from "./icon.tsx";

export interface DropZoneProps {
  /** The `accept` attribute of the file input, e.g. "image/png,image/jpeg,image/webp". */
  accept: string;
  onFiles: (files: File[]) => void;
  /** The instruction, e.g. "Choose a picture". */
  label: ReactNode;
  /** The allowed files, e.g. "PNG, JPEG or WebP, up to 8 MB". */
  help?: ReactNode;
  error?: ReactNode;
  icon?: IconName;
  multiple?: boolean;
}

/** A large file input that also accepts dropped files. */
export function DropZone(props: DropZoneProps) {
  const { accept, onFiles, label, help, error, icon = "camera", multiple } = props;
  const [isDragOver, setDragOver] = useState(false);
  const id = useId();
  const acceptFiles = (list: Iterable<File> | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  return (
    <div className="stack gap-2">
      <label
        className={classes(
          "center pad-4 radius-3 relative clip text-center",
          css.frame,
          isDragOver && css.over,
          error && css.invalid,
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setDragOver(true);
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setDragOver(false);
          const { files } = event.dataTransfer;
          // A picture of another page may come as its address alone, which is then refused like any file that is no picture.
          const address = event.dataTransfer.getData("text/uri-list");
          acceptFiles(files.length === 0 && address ? [new File([address], address)] : files);
        }}
      >
        <input
          type="file"
          className="over"
          accept={accept}
          multiple={multiple}
          aria-invalid={error ? true : undefined}
          aria-describedby={help || error ? id : undefined}
          onChange={(event) => {
            acceptFiles(event.target.files);
            // Reset, so that choosing the same file again fires a change event.
            event.target.value = "";
          }}
        />
        <span className="stack gap-2 items-center">
          <Icon name={icon} size={36} className="accent" />
          <span className="bold">{label}</span>
        </span>
      </label>
      {(error ?? help) && (
        <p id={id} className={error ? "danger" : "muted"} role={error ? "alert" : undefined}>
          {error ?? help}
        </p>
      )}
    </div>
  );
}
