/** A file of its own, so that no other visit's first file names what a locked page needs. */
export async function openGate(begin: () => void): Promise<void> {
  const { drawLocked } = await import("./locked-page.tsx");
  const html = document.documentElement;
  const root = document.getElementById("app");
  if (!root) return;
  // What the document brought is not for whoever holds a locked device, but its stylesheets are.
  root.replaceChildren();
  delete html.dataset.prerendered;
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[media="not all"]')) link.media = "all";
  drawLocked(root, begin);
}
