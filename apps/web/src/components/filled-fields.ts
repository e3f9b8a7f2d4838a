/**
 * Browsers, password managers and dictation fill fields without an event, so the application does not know the text and empties the field
 * at its next render. This sends the missing event for such fields as soon as the member touches the page, and before a form is submitted.
 */
export function watchFilledFields(): () => void {
  const stop = new AbortController();
  const listen = (type: string, onEvent: (event: Event) => unknown, capture = true) =>
    document.addEventListener(type, onEvent, { capture, signal: stop.signal });

  // Not only in forms: a sheet has its buttons beside its form.
  for (const type of ["focusin", "pointerdown", "click"])
    listen(type, ({ isTrusted }) => isTrusted && announce(listFilled(document)));
  // Typing renders the form, so what the other fields hold is read before that and announced after it.
  let filled: readonly Filled[] = [];
  listen("input", (event) => {
    if (event.isTrusted) filled = listFilled(document, event.target);
  });
  listen("input", (event) => event.isTrusted && announce(filled), false);

  let resubmitted: Element | undefined;
  listen("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const unknown = form === resubmitted ? [] : listFilled(form);
    if (unknown.length === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    announce(unknown);
    // The handler of this render does not know the texts yet.
    setTimeout(() => {
      resubmitted = form;
      form.requestSubmit((event as SubmitEvent).submitter);
      resubmitted = undefined;
    });
  });
  return () => stop.abort();
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Filled = readonly [control: Control, text: string];

/** The controls of forms that the application renders again with each change. Others are read when the form is submitted. */
const CONTROLLED =
  "select[data-rendered], textarea, input[value]:not([type=checkbox], [type=radio], [type=file], [type=range], [type=hidden])";

function listFilled(place: ParentNode, except?: EventTarget | null): readonly Filled[] {
  return [...place.querySelectorAll<Control>(CONTROLLED)]
    .filter((control) => control !== except && control.value !== renderedValue(control))
    .map((control) => [control, control.value]);
}

/** React keeps the default value of a field equal to the value that it rendered, and our Select notes its own. */
function renderedValue(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  const { rendered = "" } = control.dataset;
  // Until its choice is known, a browser shows the first option, which nobody chose.
  return [...control.options].some(({ value }) => value === rendered) ? rendered : control.value;
}

function announce(filled: readonly Filled[]): void {
  for (const [control, text] of filled) {
    // The event of the field before rendered the form, which emptied this one.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, text);
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  }
}
