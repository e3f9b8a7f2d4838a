/** What a locked device draws instead of the site, and the notes that it holds after a second PIN. Asks the server for nothing. */
import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { readDevice } from "../../device/device-storage.ts";
import { DISGUISE } from "../../device/disguise.ts";
import { LOCK, NOTES } from "../../device/lock-record.ts";
import { neutralFace, showFace } from "../../device/wear-disguise.ts";
import { currentLocale } from "../../format/i18n.ts";
import { pageBrand, SiteProvider } from "../../format/site.ts";
import { startGuard } from "./guard.ts";
import { LockScreen } from "./LockScreen.tsx";
import { NotesPage } from "./NotesPage.tsx";
import { endSession, tellUnlocked } from "./tell-server.ts";
import { endPush, removeLock, removeNotes, synced } from "./unlock.ts";

/** Draws into `element` until the device is open, then calls `begin`. */
export function drawLocked(element: HTMLElement, begin: () => void): void {
  const notes = readDevice(NOTES);
  if (!readDevice(LOCK) && notes && notes.until <= Date.now()) {
    removeNotes();
    begin();
    return;
  }
  showFace(neutralFace());
  const root = createRoot(element);
  const draw = (screen: React.ReactNode) => drawIn(root, screen);
  if (!readDevice(LOCK) && notes) {
    draw(<NotesPage />);
    if (notes.sync) void tellUnlocked(notes.sync).then(synced);
    void endPush().catch(() => undefined);
    return;
  }
  draw(
    <LockScreen
      onOpened={() => {
        root.unmount();
        showFace(readDevice(DISGUISE));
        begin();
        startGuard();
      }}
      onNotes={() => draw(<NotesPage />)}
      onErased={async () => {
        await endSession();
        removeLock();
      }}
    />,
  );
}

function drawIn(root: Root, screen: React.ReactNode): void {
  root.render(
    <StrictMode>
      <SiteProvider value={{ brand: pageBrand(), locale: currentLocale() }}>{screen}</SiteProvider>
    </StrictMode>,
  );
}
