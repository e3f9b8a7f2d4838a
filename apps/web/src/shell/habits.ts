/** What a browser does by itself and a member of an application does not expect. */
import { isSubmitKey } from "../components/submit-key.ts";
import { closeOnBack } from "../routing/close-on-back.ts";
import { goTo } from "../routing/navigation.ts";

export function startHabits(): void {
  closeOnBack();
  keepPageOnDrop();
  pressEnterOnce();
  namePlayback();
  followNotifications();
  logErrorsAsText();
  addEventListener("resize", showField);
  addEventListener("keydown", showReached);
}

/** The service worker asks for the screen of a notification. A new document would drop what is typed or on its way. */
function followNotifications(): void {
  navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
    if (data?.type !== "go") return;
    ports[0]?.postMessage(true);
    goTo(data.path);
  });
}

/** What collects a browser's messages shows an error, such as those that React logs, as an empty object. */
function logErrorsAsText(): void {
  const { error } = console;
  console.error = (...parts: unknown[]) =>
    error(...parts.map((part) => (part instanceof Error ? `${part}\n${part.stack}` : part)));
}

/** Otherwise the lock screen of a phone shows the title of the page and the icon of the site with what plays. */
function namePlayback(): void {
  if (!navigator.mediaSession) return;
  const artwork = [{ src: "/icons/notes-192.png", sizes: "192x192" }];
  navigator.mediaSession.metadata = new MediaMetadata({ title: "Audio", artist: "Audio", artwork });
}

/** Not every browser keeps what is being typed in sight when the phone is turned or its keyboard opens. */
function showField(): void {
  const field = document.activeElement;
  if (field?.matches("input, textarea")) field.scrollIntoView({ block: "nearest" });
}

/** Firefox leaves under a bar what Tab reached and is partly in sight. */
function showReached({ key }: KeyboardEvent): void {
  if (key === "Tab") requestAnimationFrame(() => document.activeElement?.scrollIntoView({ block: "nearest" }));
}

/** Otherwise the browser opens a file, link or picture of another page in place of this one when it is dropped beside its target. */
function keepPageOnDrop(): void {
  for (const type of ["dragover", "drop"] as const)
    addEventListener(type, (event) => {
      const { dataTransfer, defaultPrevented, target } = event;
      const isText = target instanceof Element && target.closest("input, textarea, [contenteditable]");
      const opens = dataTransfer?.types.includes("Files") || (dataTransfer?.types.includes("text/uri-list") && !isText);
      if (defaultPrevented || !dataTransfer || !opens) return;
      event.preventDefault();
      dataTransfer.dropEffect = "none";
    });
}

/** A held Enter would send a form again after each refusal, and use up the tries of a login, or press a button over and over. */
function pressEnterOnce(): void {
  addEventListener("keydown", (event) => {
    const submits =
      isSubmitKey({ key: event.key, nativeEvent: event }) && !(event.target instanceof HTMLTextAreaElement);
    if (event.repeat && submits) event.preventDefault();
  });
}
