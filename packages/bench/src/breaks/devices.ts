/** Breaks of what protects the data on a member's device, and the second PIN. */
import type { Break } from "./break.ts";

export const DEVICES: readonly Break[] = [
  {
    row: "messages and pictures",
    file: "index.ts",
    find: 'if (ctx.viewer?.lockHash || !c.res.headers.has("cache-control"))',
    replace: "if (ctx.viewer?.lockHash)",
    test: "security.test.ts",
    name: "keeps responses about members out of every cache, errors included",
  },
  {
    row: "messages and pictures",
    file: "apps/web/src/first-paint.ts",
    find: '?.setAttribute?.("autocomplete", "off")',
    replace: '?.getAttribute?.("autocomplete")',
    test: "apps/web/e2e/disk.test.ts",
    name: "keeps nothing that was typed for restoring a tab or for suggestions",
  },
  {
    row: "to read drafts, outbox and place on a locked device",
    file: "apps/web/src/device/member-store.ts",
    find: "localStorage.setItem(name, SEALED + toBase64(bytes));",
    replace: "localStorage.setItem(name, text);",
    test: "apps/web/e2e/lock.test.ts",
    name: "covers the page at once, seals stored data, keeps a draft, and erases everything after ten wrong PINs",
  },
  {
    row: "to read in a locked device's browser whose profiles and conversations were opened",
    file: "apps/web/src/features/lock/hide-addresses.ts",
    find: "change({ ...state, at: sealed }, unused, SHOWN_PATH);",
    replace: "change({ ...state, at: sealed }, unused, url);",
    test: "apps/web/e2e/disk.test.ts",
    name: "names nobody in the history and restored tabs while the lock is on, and still leads back",
  },
  {
    row: "to use the session of a locked device",
    file: "members/sessions/viewer.ts",
    find: "const isLocked = row.lock_hash !== null && row.lock_hash !== unlockHash;",
    replace: "const isLocked = false;",
    test: "members/sessions/session-lock.test.ts",
    name: "is not extended, and does not look active, through calls that are refused",
  },
  {
    row: "to use the session of a locked device",
    file: "apps/web/src/features/lock/session-lock.ts",
    find: "      await setSessionLock(true);\n",
    replace: "",
    test: "apps/web/e2e/lock-session.test.ts",
    name: "opens no call and no socket with its cookies",
  },
  {
    row: "to see what is there",
    file: "members/lockdown/queries.ts",
    find: '    db.deleteFrom("session").where("account_id", "in", accountId).compile(),\n',
    replace: "",
    test: "members/lockdown/lockdown.test.ts",
    name: "hides its member and ends their sessions, sockets, pushes and links at once",
  },
  {
    row: "to learn that it was the second PIN, or that there is one",
    file: "members/settings/lockdown-router.ts",
    find: "  if (locked) {\n",
    replace: '  if (locked) {\n    ctx.responseHeaders.set("x-locked", "1");\n',
    test: "members/lockdown/lockdown.test.ts",
    name: "returns the same bytes as any other token, with or without a session",
  },
  {
    row: "to see the site in the tab, the app switcher, on the lock screen or with the Back button",
    file: "apps/web/src/device/quick-exit.ts",
    find: `  // Without the Navigation API the start of this visit is unknown, so only the current page is replaced.
  const back =`,
    replace: `  sessionStorage.clear();
  location.assign(NEUTRAL_PAGE);
  if (document) return;
  const back =`,
    test: "apps/web/e2e/lock.test.ts",
    name: "leads to a page of notes from any screen, and the browser history does not lead back",
  },
];
