/**
 * Messages on their way. Each is given to the device's disk and the network in the same moment, and leaves the disk when the
 * server has stored it, so that neither losing the network nor closing the page loses one; its client id makes a repeated send
 * harmless. One after the other, so that they arrive in the order in which they were written.
 */
import type { ErrorCode } from "@lambda/contract/errors";
import type { Message, MessageDraft } from "@lambda/contract/messages";
import { createStore } from "zustand/vanilla";
import { errorBodyOf, errorStatusOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { onClearLocalData } from "../../../device/clear-local-data.ts";
import { memberDatabase } from "../../../device/member-database.ts";
import { chunkOf } from "../../../routing/load-chunk.ts";

/** Text alone, like the rest of a message: so it is kept, and sealed, like the rest. */
export interface OutgoingVoice {
  readonly base64: string;
  readonly type: string;
  readonly durationMs: number;
  readonly peaks: readonly number[];
  /** He can listen once. */
  readonly once: boolean;
}

export interface Outgoing {
  readonly clientId: string;
  /** null: a broadcast. */
  readonly recipientProfileId: number | null;
  readonly bodyText: string;
  readonly profilePicIds: readonly number[];
  readonly attachment?: MessageDraft["attachment"];
  /** A recording that is still on this device. */
  readonly voice?: OutgoingVoice;
  readonly tsCreated: string;
  /** Why it will not be sent by itself any more, in words; undefined while it is on its way. */
  readonly failed?: string;
  /** The code of that refusal. */
  readonly refusal?: ErrorCode;
  /** The server said when to come again, and why; nothing else goes to the same place before. */
  readonly waits?: { readonly until: number; readonly why: string };
}

/** How messages leave: given by the live connection. */
export interface Transport {
  readonly send: (draft: MessageDraft) => Promise<Message>;
  readonly onSent: (message: Message) => void;
}

/** Fetched with the first recording, so that chat keeps its weight. */
const voiceUpload = chunkOf(() => import("../voice/upload.ts"));

/** First pause after a failed try, and the longest, milliseconds. */
const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 30_000;

const database = memberDatabase("outbox");

/** `stopped`: there is no transport yet. `renewed`: more came while it was sending, and has to have a round of its own. */
export type OutboxStatus = "stopped" | "idle" | "sending" | "renewed";

export class Outbox {
  readonly account: number;
  readonly items = createStore<readonly Outgoing[]>(() => []);
  /** What the last visit left, by client id: another tab may have found it too. */
  readonly #inherited = new Set<string>();
  readonly #opening: Promise<void>;
  #transport: Transport | undefined;
  #status: OutboxStatus = "stopped";
  #forgotten = false;
  #failures = 0;
  #timer: number | undefined;

  constructor(account: number) {
    this.account = account;
    this.#opening = this.#open();
  }

  get status(): OutboxStatus {
    return this.#status;
  }

  /** Begins to send, with what the last visit left. */
  start(transport: Transport): void {
    this.#transport = transport;
    if (this.#status === "stopped") this.#status = "idle";
    void this.#opening.then(() => this.flush());
  }

  /** Resolves when it is on the disk, started or not; from then on it cannot be lost. */
  async add(message: Omit<Outgoing, "clientId" | "tsCreated">): Promise<void> {
    const item: Outgoing = { ...message, clientId: crypto.randomUUID(), tsCreated: new Date().toISOString() };
    this.#show([...this.items.getState(), item]);
    // The disk works in the order asked: an answer that comes sooner than this was written takes it away afterwards.
    const written = this.#write((kept) => [...kept, item]);
    void this.flush();
    await written;
  }

  async retry(clientId: string): Promise<void> {
    await this.#change(clientId, ({ failed: _, refusal: __, ...item }) => item);
    this.#failures = 0;
    void this.flush();
  }

  async discard(clientId: string): Promise<void> {
    const without = (items: readonly Outgoing[]) => items.filter((item) => item.clientId !== clientId);
    this.#show(without(this.items.getState()));
    await this.#write(without);
  }

  /** The server has it, as its answer or a socket told. */
  settle(clientId: string | undefined): void {
    if (clientId && this.items.getState().some((item) => item.clientId === clientId)) void this.discard(clientId);
  }

  /** Sends what waits; call it when the network is back. */
  async flush(): Promise<void> {
    if (this.#status === "stopped") return;
    if (this.#status !== "idle") {
      this.#status = "renewed";
      return;
    }
    try {
      do {
        this.#status = "sending";
        await this.#sendRound();
      } while (this.status === "renewed");
    } finally {
      this.#status = "idle";
    }
  }

  /** Another member logs in, or this one logged out: what this object still has under way writes nothing any more. */
  forget(): void {
    this.#forgotten = true;
    this.#show([]);
  }

  /** Shows what this account's last visit left, before what was written since. */
  async #open(): Promise<void> {
    if (this.account === 0) return;
    // A disk that refuses leaves the memory.
    const kept = await database.get<Outgoing[]>(this.#name).catch(() => undefined);
    if (!kept || this.#forgotten) return;
    const items = this.items.getState();
    const known = new Set(items.map((item) => item.clientId));
    const found = kept.filter((item) => !known.has(item.clientId));
    for (const { clientId } of found) this.#inherited.add(clientId);
    this.#show([...found, ...items]);
  }

  async #sendRound(): Promise<void> {
    await this.#opening;
    // One tab at a time sends what all tabs found; what this one wrote waits for no other.
    const isShared = this.items.getState().some((item) => this.#inherited.has(item.clientId));
    if (isShared && navigator.locks) await navigator.locks.request(`outbox-${this.account}`, () => this.#sendAll());
    else await this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const item = nextToSend(this.items.getState(), Date.now());
      if (!item) return this.#wakeWhenDue();
      if ((await this.#sendOne(item)) === "pause") return;
    }
  }

  async #sendOne(item: Outgoing): Promise<"next" | "pause"> {
    const { clientId, recipientProfileId, bodyText, profilePicIds, voice } = item;
    try {
      const attachment = voice
        ? await voiceUpload.load().then(({ uploadVoice }) => uploadVoice(voice, clientId))
        : item.attachment;
      const draft = { recipientProfileId, bodyText, profilePicIds: [...profilePicIds], attachment, clientId };
      const message = await this.#transport?.send(draft);
      if (!message) return "pause";
      this.#failures = 0;
      this.#transport?.onSent(message);
      await this.discard(clientId);
      return "next";
    } catch (error) {
      return this.#onFailure(clientId, error);
    }
  }

  async #onFailure(clientId: string, error: unknown): Promise<"next" | "pause"> {
    const status = errorStatusOf(error) ?? 0;
    const body = errorBodyOf(error);
    if (status === 429 && body?.retryAfterSeconds !== undefined) {
      const until = Date.now() + body.retryAfterSeconds * 1000;
      await this.#change(clientId, (waiting) => ({ ...waiting, waits: { until, why: errorText(error) } }));
      return "next";
    }
    if (body && status < 500 && status !== 429 && status !== 401) {
      await this.#change(clientId, (failed) => ({ ...failed, failed: errorText(error), refusal: body.code }));
      return "next";
    }
    this.#wakeIn(Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** this.#failures));
    this.#failures += 1;
    return "pause";
  }

  #wakeWhenDue(): void {
    const due = this.items
      .getState()
      .flatMap(({ failed, waits }) => (failed === undefined && waits ? [waits.until] : []));
    if (due.length > 0) this.#wakeIn(Math.max(0, Math.min(...due) - Date.now()));
  }

  #wakeIn(ms: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.flush(), ms);
  }

  async #change(clientId: string, how: (item: Outgoing) => Outgoing): Promise<void> {
    const map = (items: readonly Outgoing[]) => items.map((item) => (item.clientId === clientId ? how(item) : item));
    this.#show(map(this.items.getState()));
    await this.#write(map);
  }

  /** A disk that refuses (private windows) leaves the memory: the message is still sent while the page is open. */
  async #write(how: (kept: readonly Outgoing[]) => readonly Outgoing[]): Promise<void> {
    if (this.account === 0 || this.#forgotten) return;
    await database.update<readonly Outgoing[]>(this.#name, (kept) => how(kept ?? [])).catch(() => undefined);
  }

  #show(items: readonly Outgoing[]): void {
    this.items.setState(items, true);
  }

  get #name(): string {
    return `outbox:${this.account}`;
  }
}

/** The oldest whose recipient is not held back: slow mode of the map chat delays no message to one member. */
function nextToSend(items: readonly Outgoing[], now: number): Outgoing | undefined {
  const sendable = items.filter((item) => item.failed === undefined);
  const held = new Set(
    sendable.filter(({ waits }) => waits && waits.until > now).map((item) => item.recipientProfileId),
  );
  return sendable.find((item) => !held.has(item.recipientProfileId));
}

const NOBODYS = new Outbox(0);
let current: Outbox | undefined;

/** One object a member: the composer or the live connection, whichever comes first, makes it. Until the member is known it is nobody's. */
export function outboxOf(account: number): Outbox {
  if (account === 0) return NOBODYS;
  if (current?.account !== account) {
    current?.forget();
    current = new Outbox(account);
  }
  return current;
}

onClearLocalData(async () => {
  current?.forget();
  current = undefined;
  await database.clear().catch(() => undefined);
});
