import { useEffect, useRef, useState } from "react";

/**
 * Text that comes with a picture, as from a spreadsheet, is what the member copied, unless it only says where the picture is: file
 * managers add names, and browsers addresses.
 */
function picturesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  const names = files.flatMap(({ name }) => [name, encodeURIComponent(name)]).map((name) => name.normalize());
  const isPlace = (line: string) =>
    /^https?:\/\/\S+$/.test(line) || names.includes(line.normalize().split(/[/\\]/).pop() ?? "");
  const lines = data?.getData("text/plain").split(/[\r\n]+/) ?? [];
  return lines.every((line) => line === "" || isPlace(line)) ? files : [];
}

/** Takes files that are dropped anywhere on the page, and pictures that are pasted. Returns whether files are being dragged over it. */
export function useDroppedPictures(form: { readonly current: HTMLFormElement | null }, add: (files: File[]) => void) {
  const [isDragOver, setDragOver] = useState(false);
  const latestAdd = useRef(add);
  latestAdd.current = add;

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    /** Sheets, search fields and other drop zones take their own. */
    const isOurs = (event: Event) =>
      !event.defaultPrevented &&
      event.target instanceof Element &&
      (form.current?.contains(event.target) || !event.target.closest("dialog, input, textarea, [contenteditable]"));
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files") || !isOurs(event)) return setDragOver(false);
      event.preventDefault();
      setDragOver(true);
    };
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setDragOver(false);
    const onDrop = (event: DragEvent) => {
      setDragOver(false);
      if (!event.dataTransfer?.types.includes("Files") || !isOurs(event)) return;
      event.preventDefault();
      latestAdd.current([...event.dataTransfer.files]);
    };
    const onPaste = (event: ClipboardEvent) => {
      const files = picturesOf(event.clipboardData);
      if (files.length === 0 || !isOurs(event)) return;
      event.preventDefault();
      latestAdd.current(files);
    };
    document.addEventListener("dragover", onDrag, { signal });
    document.addEventListener("dragleave", onLeave, { signal });
    document.addEventListener("drop", onDrop, { signal });
    document.addEventListener("paste", onPaste, { signal });
    return () => listening.abort();
  }, [form]);
  return isDragOver;
}
