import { type ReactNode, useId, useState } from "react";
import { classes } from "./classes.ts";
import css from "./drop-zone.module.css";
import { Icon, type IconName } from "./icon.tsx";

export interface DropZoneProps {
  /** Of the native file input, e.g. "image/png,image/jpeg,image/webp". */
  accept: string;
  onFiles: (files: File[]) => void;
  /** What to do, e.g. "Choose a picture". */
  label: ReactNode;
  /** What is allowed, e.g. "PNG, JPEG or WebP, up to 8 MB". */
  help?: ReactNode;
  error?: ReactNode;
  icon?: IconName;
  multiple?: boolean;
  disabled?: boolean;
  /** A preview of the chosen file, in place of the words. */
  children?: ReactNode;
}

/** A file input as large as a picture; dropping is a shortcut, pressing it is the way. */
export function DropZone(props: DropZoneProps) {
  const { accept, onFiles, label, help, error, icon = "camera", multiple, disabled, children } = props;
  const [over, setOver] = useState(false);
  const id = useId();
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  return (
    <div className={css.zone}>
      <label
        className={classes(css.frame, over && css.over, error && css.invalid)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(!disabled);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (!disabled) take(event.dataTransfer.files);
        }}
      >
        <input
          type="file"
          className={css.input}
          accept={accept}
          multiple={multiple}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={help || error ? id : undefined}
          onChange={(event) => {
            take(event.target.files);
            // The same file again must be news.
            event.target.value = "";
          }}
        />
        <span className={children ? css.quiet : css.words}>
          <Icon name={icon} size={36} className={css.icon} />
          <span className={css.label}>{label}</span>
        </span>
        {children}
      </label>
      {(error ?? help) && (
        <p id={id} className={error ? css.error : css.help} role={error ? "alert" : undefined}>
          {error ?? help}
        </p>
      )}
    </div>
  );
}
