/**
 * What menus and the navigation need of popovers in Chrome before 114, Firefox before 125 and Safari before 17: a press on their button,
 * elsewhere or Escape. first-paint.css hides the closed ones.
 */
export function addPopovers(): void {
  const toggle = (element: HTMLElement, isOpen: boolean) => {
    if (isOpen === element.hasAttribute("data-popover-open")) return;
    const newState = isOpen ? "open" : "closed";
    element.dispatchEvent(Object.assign(new Event("beforetoggle"), { newState }));
    element.toggleAttribute("data-popover-open", isOpen);
    element.dispatchEvent(Object.assign(new Event("toggle"), { newState }));
  };
  HTMLElement.prototype.showPopover = function show() {
    toggle(this, true);
  };
  HTMLElement.prototype.hidePopover = function hide() {
    toggle(this, false);
  };
  const closeExcept = (kept: Node | null) => {
    for (const open of document.querySelectorAll<HTMLElement>("[data-popover-open]"))
      if (!open.contains(kept)) toggle(open, false);
  };
  addEventListener("click", ({ target }) => {
    const pressed = target instanceof Element ? target : null;
    const id = pressed?.closest("[popovertarget]")?.getAttribute("popovertarget");
    const menu = id ? document.getElementById(id) : null;
    const wasOpen = menu?.hasAttribute("data-popover-open");
    closeExcept(pressed);
    if (menu && !wasOpen) toggle(menu, true);
  });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeExcept(null);
  });
}
