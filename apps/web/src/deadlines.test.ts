/** Every promise of the browser and every call of ours has a deadline: this walk over the source finds those without. */
import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, it } from "vitest";

/** What may never answer, by the text of the call, of the constructor or of the property that is read. */
const MAY_NOT_ANSWER: readonly RegExp[] = [
  /^(window\.|globalThis\.)?fetch$/,
  /XMLHttpRequest$/,
  /^WebSocket$/,
  /^Worker$/,
  /^import\($/,
  /geolocation\.(getCurrentPosition|watchPosition)$/,
  /^(window\.)?indexedDB\.(open|databases|deleteDatabase)$/,
  /serviceWorker\??\.(register|getRegistrations?|ready)$/,
  /registration\??\.(getNotifications|unregister|update)$/,
  /^registration\??\.showNotification$/,
  /clients\.matchAll$/,
  /pushManager\??\.(subscribe|getSubscription|permissionState)$/,
  /subscription\??\.unsubscribe$/,
  /navigator\.locks\??\.(request|query)$/,
  /permissions\??\.query$/,
  /\.requestPermission$/,
  /\.getUserMedia$/,
  /caches\.(open|match|delete|keys|has)$/,
  /credentials\.(get|create)$/,
  /^start(Authentication|Registration)$/,
  /navigator\.(share|clipboard\.\w+)$/,
  /navigator\.storage\.\w+$/,
  /^createImageBitmap$/,
  /\.(toBlob|convertToBlob|decodeAudioData|play)$/,
  // An image's; that of a TextDecoder has an argument.
  /\.decode\(\)$/,
  /fonts\.(load|ready)$/,
];

/** Parsing is slow, and most files have nothing of this. */
const MAY_MATTER = new RegExp(
  ["idb-keyval", ...MAY_NOT_ANSWER.map(({ source }) => source.replace(/^\^/, "").replace(/\$$/, ""))].join("|"),
);

/** The functions that give what their argument starts a deadline. */
const GIVES_DEADLINE =
  /^(withDeadline|finishLater|askWorker|withTabLock|lazyPart|lazyScreen|optionalPart|createChunkLoader)$/;

/** Where the helpers themselves are, and where nothing waits for the answer. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "device/with-tab-lock.ts navigator.locks.request": "withTabLock",
  "device/member-database.ts idb-keyval": "its memberDatabase asks with a deadline",
  "device/member-store.ts idb-keyval": "each use of a connection is in withDeadline, here or in member-database.ts",
  "features/accounts/lock/lock-store.ts idb-keyval": "each read is in withDeadline",
  "api/fetch-with-deadline.ts fetch": "fetchWithDeadline",
  "api/socket.ts WebSocket": "pings, and reconnects without an answer",
  "components/PictureUpload/send-picture.ts XMLHttpRequest": "has a timer of its own, because progress extends it",
  "components/use-share-link.ts navigator.share": "nothing waits for it",
  "features/places/positions/gps.ts geolocation.watchPosition": "the reporting machine goes on without a fix",
  "../public/meet/wake.js self.clients.matchAll": "listWindows answers without it after two seconds",
  "device/clear-local-data.ts navigator.serviceWorker?.getRegistration": "unsubscribeFromPush, for which nothing waits",
  "device/clear-local-data.ts registration?.getNotifications": "unsubscribeFromPush, for which nothing waits",
  "device/clear-local-data.ts registration?.pushManager?.getSubscription":
    "unsubscribeFromPush, for which nothing waits",
  "features/accounts/lock/show-locked-page.ts import":
    "the lock page is all there is, so there is nothing to go on with",
  "main.tsx import": "the lock page is all there is, so there is nothing to go on with",
  "main.tsx navigator.serviceWorker.register": "nothing waits for it",
};

interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

const isSyntax = (value: unknown): value is Syntax => typeof (value as Syntax | null)?.type === "string";

/** The functions that are passed by name to one that gives them a deadline. */
function namesWithDeadline(program: Syntax, textOf: (syntax: Syntax) => string): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (syntax: Syntax, isArgument: boolean): void => {
    const gives = syntax.type === "CallExpression" && GIVES_DEADLINE.test(textOf(syntax.callee as Syntax));
    if (isArgument && syntax.type === "Identifier") names.add(textOf(syntax));
    for (const value of Object.values(syntax).flat()) if (isSyntax(value)) collect(value, isArgument || gives);
  };
  collect(program, false);
  return names;
}

/** The calls and reads in a file that may never answer and are not started by a function that gives them a deadline. */
function findUnlimited(file: string, source: string): string[] {
  if (!MAY_MATTER.test(source.replaceAll(/\s/g, ""))) return [];
  const found: string[] = [];
  const textOf = ({ start, end }: Syntax) => source.slice(start, end).replaceAll(/\s/g, "");
  const check = (text: string) => {
    if (MAY_NOT_ANSWER.some((pattern) => pattern.test(text))) found.push(text.replace(/\(\)?$/, ""));
  };
  const { program, errors } = parseSync(file, source);
  expect(errors).toEqual([]);
  const started = namesWithDeadline(program as unknown as Syntax, textOf);
  const visit = (syntax: Syntax): void => {
    if (/^(VariableDeclarator|FunctionDeclaration)$/.test(syntax.type) && started.has(textOf(syntax.id as Syntax)))
      return;
    if (syntax.type === "ImportExpression") check("import(");
    if (syntax.type === "ImportDeclaration" && textOf(syntax.source as Syntax).includes("idb-keyval"))
      found.push("idb-keyval");
    if (syntax.type === "CallExpression" || syntax.type === "NewExpression") {
      const callee = textOf(syntax.callee as Syntax);
      if (GIVES_DEADLINE.test(callee)) return;
      check((syntax.arguments as unknown[]).length === 0 && callee.endsWith(".decode") ? `${callee}()` : callee);
    } else if (syntax.type === "MemberExpression" && textOf(syntax).endsWith(".ready")) check(textOf(syntax));
    for (const value of Object.values(syntax).flat()) if (isSyntax(value)) visit(value);
  };
  visit(program as unknown as Syntax);
  return found.map((text) => `${file} ${text}`);
}

it("every promise of the browser and every call has a deadline", { timeout: 20_000 }, () => {
  const root = new URL(".", import.meta.url).pathname;
  const files = globSync(["**/*.{ts,tsx}", "../public/**/*.js"], { cwd: root }).filter(
    (file) => !file.includes(".test."),
  );
  const found = new Set(files.flatMap((file) => findUnlimited(file, readFileSync(root + file, "utf8"))));
  expect([...found].filter((each) => !(each in EXCEPTIONS)).sort()).toEqual([]);
  // An exception that nothing needs any more would hide a new case.
  expect(Object.keys(EXCEPTIONS).filter((each) => !found.has(each))).toEqual([]);
});

it.each([
  ['const answer = await fetch("/api/x");', "fetch"],
  ["const { ready } = navigator.serviceWorker; await navigator.serviceWorker.ready;", "navigator.serviceWorker.ready"],
  ["image.decode().then(show);", "image.decode"],
  ['const screen = () => import("./screen.tsx");', "import"],
  ['const worker = new Worker("work.js"); worker.postMessage(task);', "Worker"],
  ["self.clients.matchAll().then(list);", "self.clients.matchAll"],
  ["new Promise((done) => { indexedDB.open(name).onsuccess = done; });", "indexedDB.open"],
])("finds %s", (source, name) => expect(findUnlimited("new.ts", source)).toEqual([`new.ts ${name}`]));

it.each([
  "async function cacheFile() { await caches.open(CACHE); } withDeadline(ANSWER_WAIT_MS, cacheFile());",
  "withDeadline(MEDIA_WAIT_MS, () => image.decode());",
  "new TextDecoder().decode(bytes);",
])("allows %s", (source) => expect(findUnlimited("new.ts", source)).toEqual([]));

/** The body of an answer, read as bytes. */
const READS_BYTES = /\b(?:response|answer)\.(?:blob|arrayBuffer|body\??\.getReader)\(/;
/** Their deadline is renewed by each chunk, so that a slow line is not taken for a dead one. */
const FETCHES_BYTES = /fetchWithDeadline\([^;]*"bytes"\)|(?:apiFetch|documentFetch)\(/;

it("whoever reads bytes of an answer fetched them with the deadline that progress renews", () => {
  const root = new URL(".", import.meta.url).pathname;
  const sources = globSync("**/*.{ts,tsx}", { cwd: root })
    .filter((file) => !file.includes(".test."))
    .map((file) => ({ file, source: readFileSync(root + file, "utf8") }))
    .filter(({ source }) => READS_BYTES.test(source));
  expect(sources.length).toBeGreaterThanOrEqual(3);
  expect(sources.filter(({ source }) => !FETCHES_BYTES.test(source)).map(({ file }) => file)).toEqual([]);
  const late = 'const response = await fetchWithDeadline("/api/x");\nreturn response.blob();';
  expect([READS_BYTES.test(late), FETCHES_BYTES.test(late)]).toEqual([true, false]);
});

/** Where a blur saves nothing that was typed. */
const BLUR_SAVES_NOTHING: Readonly<Record<string, string>> = {
  "features/messaging/messages/conversation/MessageLog.tsx": "moves the tab stop",
};

it("what a blur saves is saved on leaving the screen too, where no blur comes", () => {
  const root = new URL(".", import.meta.url).pathname;
  const files = globSync("**/*.tsx", { cwd: root }).filter((file) =>
    /\bonBlur\b/.test(readFileSync(root + file, "utf8")),
  );
  const unsaved = files.filter((file) => !/useOnLeave|useAutosave/.test(readFileSync(root + file, "utf8")));
  expect(unsaved.filter((file) => !(file in BLUR_SAVES_NOTHING))).toEqual([]);
  expect(Object.keys(BLUR_SAVES_NOTHING).filter((file) => !unsaved.includes(file))).toEqual([]);
});
