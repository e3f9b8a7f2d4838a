/** The page of a locked device, and the page of notes after a second PIN. It fetches nothing from the server. */
import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { readDeviceValue } from "../../../device/device-storage.ts";
import { DISGUISE } from "../../../device/disguise.ts";
import { LOCK, NOTES } from "../../../device/lock-record.ts";
import { applyDisguise, neutralDisguise } from "../../../format/apply-disguise.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { pageBrand, SiteProvider } from "../../../format/site.ts";
import { startAutoLock } from "./auto-lock.ts";
import { hideAddresses } from "./hide-addresses.ts";
import { LockScreen } from "./LockScreen.tsx";
import { openGate } from "./lock-store.ts";
import { NotesPage } from "./NotesPage.tsx";
import { endSession, reportUnlock } from "./server-calls.ts";
import { onUnlockReported, removeLock, removeNotes, unsubscribePush } from "./unlock.ts";

export { openGate };

/** Renders into `element` until the device is unlocked, then calls `startApp`. */
export function renderLockedPage(element: HTMLElement, startApp: () => void): void {
  const notes = readDeviceValue(NOTES);
  if (!readDeviceValue(LOCK) && notes && notes.until <= Date.now()) {
    removeNotes();
    startApp();
    return;
  }
  applyDisguise(neutralDisguise());
  const root = createRoot(element);
  const render = (screen: React.ReactNode) => renderIn(root, screen);
  if (!readDeviceValue(LOCK) && notes) {
    render(<NotesPage />);
    if (notes.sync) void reportUnlock(notes.sync).then(onUnlockReported);
    void unsubscribePush().catch(() => undefined);
    return;
  }
  render(
    <LockScreen
      onOpened={async () => {
        root.unmount();
        applyDisguise(readDeviceValue(DISGUISE));
        await hideAddresses();
        startApp();
        startAutoLock();
      }}
      onNotes={() => render(<NotesPage />)}
      onErased={async () => {
        await endSession();
        removeLock();
      }}
    />,
  );
}

function renderIn(root: Root, screen: React.ReactNode): void {
  root.render(
    <StrictMode>
      <SiteProvider value={{ brand: pageBrand(), locale: currentLocale() }}>{screen}</SiteProvider>
    </StrictMode>,
  );
}
