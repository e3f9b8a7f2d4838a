/** Otherwise the browser opens a file that is dropped beside its target in place of the page. */
export function keepPageOnDrop(): void {
  for (const type of ["dragover", "drop"] as const)
    addEventListener(type, (event) => {
      if (!event.defaultPrevented && event.dataTransfer?.types.includes("Files")) {
        event.preventDefault();
        event.dataTransfer.dropEffect = "none";
      }
    });
}
