/** Identifies the build that this page runs: the file name of the entry script changes with every build. */
export function currentBuild(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? "";
}
