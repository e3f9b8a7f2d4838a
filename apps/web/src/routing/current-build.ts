/** Names the build that drew this page: the entry's file name changes with every build. */
export function currentBuild(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? "";
}
