/** A separate file, so that the entry chunk of an unlocked visit does not preload the locked page's chunks. */
export async function showLockedPage(startApp: () => void): Promise<void> {
  const { openGate, renderLockedPage } = await import("./locked-page.tsx");
  // Without its key nothing is left to unlock: every PIN starts again.
  await openGate().catch(() => undefined);
  const html = document.documentElement;
  const root = document.getElementById("app");
  if (!root) return;
  // Removes the prerendered content, but applies the document's deferred style sheets.
  root.replaceChildren();
  delete html.dataset.prerendered;
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[media="not all"]')) link.media = "all";
  renderLockedPage(root, startApp);
}
