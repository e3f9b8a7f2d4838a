/**
 * Messages on their way. Each is given to the device's disk and the network in the same moment, and leaves the disk when the
 * server has stored it, so that neither losing the network nor closing the page loses one; its client id makes a repeated send
 * harmless. One after the other, so that they arrive in the order in which they were written.
 */
import type { Message, MessageDraft } from "@lambda/contract/messages";
import { clear, createStore, get, type UseStore, update } from "idb-keyval";
import { errorBodyOf, errorStatusOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { onWipe } from "../../../device/wipe.ts";

export interface Outgoing {
  readonly clientId: string;
  /** null: a broadcast. */
  readonly recipientProfileId: number | null;
  readonly bodyText: string;
  readonly profilePicIds: readonly number[];
  readonly attachment?: MessageDraft["attachment"];
  readonly tsCreated: string;
  /** Why it will not be sent by itself any more, in words; undefined while it is on its way. */
  readonly failed?: string;
  /** The server said when to come again, and why; nothing else goes to the same place before. */
  readonly waits?: { readonly until: number; readonly why: string };
}

export interface OutboxOptions {
  readonly send: (draft: MessageDraft) => Promise<Message>;
  readonly onSent: (message: Message) => void;
}

/** First pause after a failed try, and the longest, milliseconds. */
const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 30_000;

let store: UseStore | undefined;
const database = () => (store ??= createStore("outbox", "keyval"));
const nameOf = (account: number) => `outbox:${account}`;

let account = 0;
let opening: Promise<void> = Promise.resolve();
let items: readonly Outgoing[] = [];
/** What the last visit left, by client id: another tab may have found it too. */
const inherited = new Set<string>();
let options: OutboxOptions | undefined;
let running = false;
let wanted = false;
let failures = 0;
let timer: number | undefined;
const listeners = new Set<() => void>();

export const outbox = {
  /** Begins to send, with what the last visit left. */
  start(forAccount: number, withOptions: OutboxOptions): void {
    options = withOptions;
    void open(forAccount).then(() => outbox.flush());
  },

  /** Resolves when it is on the disk, started or not; from then on it cannot be lost. */
  async add(forAccount: number, message: Omit<Outgoing, "clientId" | "tsCreated">): Promise<void> {
    void open(forAccount);
    const item: Outgoing = { ...message, clientId: crypto.randomUUID(), tsCreated: new Date().toISOString() };
    show([...items, item]);
    // The disk works in the order asked: an answer that comes sooner than this was written takes it away afterwards.
    const written = keep((kept) => [...kept, item]);
    void outbox.flush();
    await written;
  },

  async retry(clientId: string): Promise<void> {
    await change(clientId, ({ failed: _, ...item }) => item);
    failures = 0;
    void outbox.flush();
  },

  async discard(clientId: string): Promise<void> {
    show(items.filter((item) => item.clientId !== clientId));
    await keep((kept) => kept.filter((item) => item.clientId !== clientId));
  },

  /** The server has it, as its answer or a socket told. */
  settle(clientId: string | undefined): void {
    if (clientId && items.some((item) => item.clientId === clientId)) void outbox.discard(clientId);
  },

  /** Sends what waits; call it when the network is back. */
  async flush(): Promise<void> {
    if (!options) return;
    // What is written while the last round ends has to have a round of its own.
    wanted = true;
    if (running) return;
    running = true;
    try {
      while (wanted) {
        wanted = false;
        await opening;
        // One tab at a time sends what all tabs found; what this one wrote waits for no other.
        const shared = items.some((item) => inherited.has(item.clientId));
        if (shared && navigator.locks) await navigator.locks.request(`outbox-${account}`, drain);
        else await drain();
      }
    } finally {
      running = false;
    }
  },

  list: () => items,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Shows what this account's last visit left, before what was written since. Another account's is put away. */
function open(forAccount: number): Promise<void> {
  if (account === forAccount) return opening;
  account = forAccount;
  inherited.clear();
  show([]);
  opening = get<Outgoing[]>(nameOf(forAccount), database()).then(
    (kept = []) => {
      if (account !== forAccount) return;
      const known = new Set(items.map((item) => item.clientId));
      for (const { clientId } of kept) if (!known.has(clientId)) inherited.add(clientId);
      show([...kept.filter((item) => !known.has(item.clientId)), ...items]);
    },
    // A disk that refuses leaves the memory.
    () => undefined,
  );
  return opening;
}

async function drain(): Promise<void> {
  for (;;) {
    const item = nextToSend(Date.now());
    if (!item || !options) return wakeWhenDue();
    const { clientId, recipientProfileId, bodyText, profilePicIds, attachment } = item;
    try {
      const draft = { recipientProfileId, bodyText, profilePicIds: [...profilePicIds], attachment, clientId };
      const message = await options.send(draft);
      failures = 0;
      options.onSent(message);
      await outbox.discard(clientId);
    } catch (error) {
      const status = errorStatusOf(error) ?? 0;
      const body = errorBodyOf(error);
      if (status === 429 && body?.retryAfterSeconds !== undefined) {
        const until = Date.now() + body.retryAfterSeconds * 1000;
        await change(clientId, (waiting) => ({ ...waiting, waits: { until, why: errorText(error) } }));
        continue;
      }
      const waits = !body || status >= 500 || status === 429 || status === 401;
      if (!waits) {
        await change(clientId, (failed) => ({ ...failed, failed: errorText(error) }));
        continue;
      }
      wakeIn(Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failures));
      failures += 1;
      return;
    }
  }
}

/** The oldest whose place is not waiting: slow mode of the map chat holds back no letter to one man. */
function nextToSend(now: number): Outgoing | undefined {
  const sendable = items.filter((item) => item.failed === undefined);
  const held = new Set(
    sendable.filter(({ waits }) => waits && waits.until > now).map((item) => item.recipientProfileId),
  );
  return sendable.find((item) => !held.has(item.recipientProfileId));
}

function wakeWhenDue(): void {
  const due = items.flatMap(({ failed, waits }) => (failed === undefined && waits ? [waits.until] : []));
  if (due.length > 0) wakeIn(Math.max(0, Math.min(...due) - Date.now()));
}

function wakeIn(ms: number): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void outbox.flush(), ms);
}

async function change(clientId: string, how: (item: Outgoing) => Outgoing): Promise<void> {
  const map = (list: readonly Outgoing[]) => list.map((item) => (item.clientId === clientId ? how(item) : item));
  show(map(items));
  await keep(map);
}

/** A disk that refuses (private windows) leaves the memory: the message is still sent while the page is open. */
async function keep(how: (kept: readonly Outgoing[]) => readonly Outgoing[]): Promise<void> {
  if (account === 0) return;
  await update<readonly Outgoing[]>(nameOf(account), (kept) => how(kept ?? []), database()).catch(() => undefined);
}

function show(next: readonly Outgoing[]): void {
  items = next;
  for (const listener of listeners) listener();
}

onWipe(async () => {
  account = 0;
  show([]);
  await clear(database()).catch(() => undefined);
});
