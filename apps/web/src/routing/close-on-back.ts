import { createChunkLoader } from "./load-chunk.ts";

/**
 * Back closes what lies on top: a sheet, a menu, the navigation, a viewer, a card on the map. Each has a history entry of its own, at the
 * same address. Closing it otherwise leaves the entry in place, since going back could undo a navigation that starts meanwhile; the next
 * layer uses it again, and Back skips it.
 */
interface Place {
  /** Random name of the screen's entry that all its layers' entries share; empty where nothing was opened yet. */
  readonly screen: string;
  /** How many layers were open when the entry was made. */
  readonly depth: number;
}

const oldPopovers = createChunkLoader(() => import("./old-popovers.ts"));
const NO_PLACE: Place = { screen: "", depth: 0 };
const layers: (() => void)[] = [];
let here: Place = NO_PLACE;
let hereKey: string | undefined;

function arrive(): void {
  here = (history.state as { layer?: Place } | null)?.layer ?? NO_PLACE;
  hereKey = entryKey();
}

/** Stays the same when an entry is replaced. Undefined in older browsers. */
function entryKey(): string | undefined {
  return (window as { navigation?: { currentEntry?: { key: string } | null } }).navigation?.currentEntry?.key;
}

/** Returns the function to call once the layer was closed. */
export function openLayer(close: () => void): () => void {
  followEntries();
  layers.push(close);
  if (here.screen === "") store("replaceState", { screen: crypto.randomUUID(), depth: 0 });
  if (here.depth < layers.length) store("pushState", { ...here, depth: layers.length });
  return () => {
    const at = layers.lastIndexOf(close);
    if (at >= 0) layers.splice(at, 1);
  };
}

function store(how: "pushState" | "replaceState", layer: Place): void {
  history[how]({ ...history.state, layer }, "");
  arrive();
  // For the scroll memory, which knows the new entry's position only from the next scrolling.
  dispatchEvent(new Event("scroll"));
}

function onTraversal(): void {
  const before = here;
  arrive();
  const isBack = here.screen === before.screen && here.screen !== "" && here.depth < before.depth;
  const closing = layers.splice(isBack ? here.depth : layers.length);
  for (const close of closing.toReversed()) close();
  // Nothing was open there any more. A quick exit, which hides the document, replaces these entries itself.
  if (isBack && closing.length === 0 && document.documentElement.style.visibility !== "hidden") history.back();
}

let areEntriesFollowed = false;

/** From the first layer on, which may be opened before `closeOnBack` is called. */
function followEntries(): void {
  if (areEntriesFollowed) return;
  areEntriesFollowed = true;
  arrive();
  // Before the router, which may replace the entry at once.
  addEventListener("popstate", onTraversal, { capture: true });
  for (const type of ["pushState", "replaceState"] as const)
    addEventListener(type, () => {
      const before = here;
      const hasLeft = type === "replaceState" && entryKey() !== hereKey;
      arrive();
      // The router replaces the entry of a traversal whose event is still to come.
      if (hasLeft) for (const close of layers.splice(0).toReversed()) close();
      // What replaces a layer's entry replaces the screen's too.
      if (type === "replaceState" && !hasLeft && here.screen === "" && before.depth > 0) store(type, before);
    });
}

/** Follows the dialogs and popovers of the whole document, also those that are open. They close as on Esc. */
export function closeOnBack(): void {
  if (!("popover" in HTMLElement.prototype)) void oldPopovers.preload().then((module) => module?.addPopovers());
  followEntries();
  const opened = new Map<Element, () => void>();
  const follow = (element: HTMLElement, isOpen: boolean, close: () => void) => {
    if (isOpen === opened.has(element)) return;
    opened.get(element)?.();
    if (isOpen) opened.set(element, openLayer(close));
    else opened.delete(element);
  };
  const followDialog = (dialog: HTMLDialogElement) =>
    follow(dialog, dialog.open && dialog.isConnected, () => {
      dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
      // It may refuse, and is then closed by the next Back.
      opened.delete(dialog);
      setTimeout(() => followDialog(dialog));
    });
  const followPopover = (target: HTMLElement) => {
    if (target.popover === "auto") follow(target, target.matches(":popover-open"), () => target.hidePopover());
  };
  document.addEventListener("toggle", ({ target }) => target instanceof HTMLElement && followPopover(target), {
    capture: true,
  });
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target instanceof HTMLDialogElement) followDialog(target);
    // A screen that is left takes its open dialogs and menus along.
    for (const [element, end] of opened)
      if (!element.isConnected) {
        end();
        opened.delete(element);
      }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["open"] });
  for (const dialog of document.querySelectorAll("dialog")) followDialog(dialog);
  for (const popover of document.querySelectorAll<HTMLElement>("[popover]")) followPopover(popover);
}
