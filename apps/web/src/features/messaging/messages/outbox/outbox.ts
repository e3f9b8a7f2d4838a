/**
 * Outgoing messages: each stays in the device's storage until the server has it, so that neither a lost network nor a closed page loses
 * it. Each recipient's are sent one at a time to keep their order, so that one that gets no answer delays nobody else, and carry a client id
 * that makes retries idempotent.
 */
import type { ErrorCode } from "@lambda/contract/errors";
import type { Message, MessageDraft } from "@lambda/contract/messages";
import { createStore } from "zustand/vanilla";
import { errorBodyOf, errorStatusOf } from "../../../../api/error-body.ts";
import { onClearLocalData } from "../../../../device/clear-local-data.ts";
import { memberDatabase } from "../../../../device/member-database.ts";
import { serverDate, serverNow } from "../../../../device/server-clock.ts";
import { withTabLock } from "../../../../device/with-tab-lock.ts";
import { createChunkLoader } from "../../../../routing/load-chunk.ts";

/** Text only, so that it can be stored and encrypted on the device like the rest of a message. */
export interface OutgoingVoice {
  readonly base64: string;
  readonly type: string;
  readonly durationMs: number;
  readonly peaks: readonly number[];
  /** The recipient can listen once. */
  readonly once: boolean;
}

export interface OutgoingMessage {
  readonly clientId: string;
  /** null: a broadcast. */
  readonly recipientProfileId: number | null;
  readonly bodyText: string;
  readonly profilePicIds: readonly number[];
  readonly attachment?: MessageDraft["attachment"];
  readonly replyToId?: number;
  /** A recording that is still on this device. */
  readonly voice?: OutgoingVoice;
  readonly tsCreated: string;
  /** Increases with each message that a page adds. */
  readonly order: number;
  /** Error text of a message that is not retried automatically. */
  readonly failed?: string;
  readonly refusal?: ErrorCode;
  /** Set when the server rate-limited the message. Nothing else is sent to the same recipient before `until`. */
  readonly waits?: { readonly until: number; readonly why: string };
  /** The device's storage did not take it, so that it is lost with the page. Never stored. */
  readonly unkept?: true;
}

/** Sends messages; provided by the live connection. */
export interface Transport {
  readonly send: (draft: MessageDraft) => Promise<Message>;
  readonly onSent: (message: Message) => void;
  /** The server will not take a message. */
  readonly onRefused: () => void;
}

/** Loaded with the first recording, to keep the chat bundle small. */
const errorTexts = createChunkLoader(() => import("../../../../api/error-text.ts"));
const voiceUpload = createChunkLoader(() => import("../voice/upload.ts"));

/** Exponential backoff after network errors. */
const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 30_000;

const database = memberDatabase("outbox");

type Recipient = OutgoingMessage["recipientProfileId"];

interface Lane {
  isSending: boolean;
  failures: number;
  timer: number | undefined;
}

export class Outbox {
  readonly account: number;
  readonly items = createStore<readonly OutgoingMessage[]>(() => []);
  /** Client ids of messages left by the last visit. Another tab may have loaded them too. */
  readonly #leftovers = new Set<string>();
  /** Client ids of messages known to be in storage, where every tab finds them and may send or discard them. */
  readonly #stored = new Set<string>();
  readonly #loading: Promise<void>;
  #transport: Transport | undefined;
  readonly #lanes = new Map<Recipient, Lane>();
  #isDisposed = false;
  #lastOrder = 0;

  constructor(account: number) {
    this.account = account;
    this.#loading = this.#loadLeftovers();
  }

  /** Starts sending, including messages left by the last visit. */
  start(transport: Transport): void {
    this.#transport = transport;
    void this.flush();
  }

  /** Resolves when the message is stored on the device and can no longer be lost. */
  async add(message: Omit<OutgoingMessage, "clientId" | "tsCreated" | "order">): Promise<void> {
    this.#lastOrder = Math.max(serverNow(), this.#lastOrder + 1);
    const created = { clientId: crypto.randomUUID(), tsCreated: serverDate().toISOString(), order: this.#lastOrder };
    const item: OutgoingMessage = { ...message, ...created };
    this.#setItems([...this.items.getState(), item]);
    // Writes take effect in order, so a response that arrives before this one still removes the message after it.
    const written = this.#write(item.clientId, item);
    void this.flush();
    await written;
  }

  async retry(clientId: string): Promise<void> {
    await this.#updateItem(clientId, ({ failed: _, refusal: __, ...item }) => item);
    void this.flush();
  }

  async discard(clientId: string): Promise<void> {
    this.#setItems(this.items.getState().filter((item) => item.clientId !== clientId));
    await this.#write(clientId, undefined);
  }

  confirmSent(clientId: string | undefined): void {
    if (clientId && this.items.getState().some((item) => item.clientId === clientId)) void this.discard(clientId);
  }

  /** Sends all waiting messages. Call it when the network is back. */
  async flush(): Promise<void> {
    await this.#loading;
    if (!this.#transport) return;
    const recipients = new Set(this.items.getState().map(({ recipientProfileId }) => recipientProfileId));
    for (const recipient of recipients) void this.#startLane(recipient);
  }

  /** How many messages the server does not have yet, of all tabs. */
  async countWaiting(): Promise<number> {
    const stored = await database.list<OutgoingMessage>(this.#storageKey("")).catch(() => []);
    return new Set([...stored, ...this.items.getState()].map(({ clientId }) => clientId)).size;
  }

  /** After a logout or a change of account: clears memory, and makes pending operations write nothing. */
  dispose(): void {
    this.#isDisposed = true;
    this.#setItems([]);
  }

  async #loadLeftovers(): Promise<void> {
    if (this.account === 0) return;
    // Without storage the outbox works in memory.
    const stored = await database.list<OutgoingMessage>(this.#storageKey("")).catch(() => []);
    if (this.#isDisposed) return;
    const items = this.items.getState();
    const currentIds = new Set(items.map((item) => item.clientId));
    const leftovers = stored
      .filter((item) => !currentIds.has(item.clientId))
      .toSorted((one, other) => one.order - other.order);
    for (const { clientId, order } of leftovers) {
      this.#leftovers.add(clientId);
      this.#stored.add(clientId);
      // Also if the clock has been set back since.
      this.#lastOrder = Math.max(this.#lastOrder, order);
    }
    this.#setItems([...leftovers, ...items]);
  }

  #laneOf(recipient: Recipient): Lane {
    const lane = this.#lanes.get(recipient) ?? { isSending: false, failures: 0, timer: undefined };
    this.#lanes.set(recipient, lane);
    return lane;
  }

  async #startLane(recipient: Recipient): Promise<void> {
    const lane = this.#laneOf(recipient);
    if (lane.isSending) return;
    lane.isSending = true;
    window.clearTimeout(lane.timer);
    const send = () => this.#sendLane(recipient, lane);
    // Leftovers are in every open tab, so one tab at a time sends them. New messages need no lock.
    const hasLeftovers = this.#listTo(recipient).some(({ clientId }) => this.#leftovers.has(clientId));
    await (hasLeftovers ? withTabLock(`outbox-${this.account}-${recipient}`, send) : send());
  }

  async #sendLane(recipient: Recipient, lane: Lane): Promise<void> {
    for (;;) {
      const item = this.#listTo(recipient).find(({ failed }) => failed === undefined);
      const waitMs = item?.waits ? item.waits.until - serverNow() : 0;
      if (item && waitMs <= 0 && (await this.#sendOne(item, lane)) === "next") continue;
      // Ends synchronously, or a message that is added now would find the lane still busy.
      lane.isSending = false;
      if (item && waitMs > 0) this.#scheduleLane(recipient, lane, waitMs);
      return;
    }
  }

  #listTo(recipient: Recipient): readonly OutgoingMessage[] {
    return this.items.getState().filter(({ recipientProfileId }) => recipientProfileId === recipient);
  }

  async #sendOne(item: OutgoingMessage, lane: Lane): Promise<"next" | "pause"> {
    const { clientId, recipientProfileId, bodyText, profilePicIds, replyToId, voice } = item;
    if (await this.#wasHandledElsewhere(clientId)) {
      this.#setItems(this.items.getState().filter((other) => other !== item));
      return "next";
    }
    try {
      const attachment = voice
        ? await voiceUpload.load().then(({ uploadVoice }) => uploadVoice(voice, clientId))
        : item.attachment;
      const content = { bodyText, profilePicIds: [...profilePicIds], attachment, replyToId };
      const draft = { recipientProfileId, ...content, clientId };
      const message = await this.#transport?.send(draft);
      if (!message) return "pause";
      lane.failures = 0;
      this.#transport?.onSent(message);
      await this.discard(clientId);
      return "next";
    } catch (error) {
      return this.#onFailure(item, lane, error);
    }
  }

  /** Whether another tab has sent or discarded a message that it found on the device. */
  async #wasHandledElsewhere(clientId: string): Promise<boolean> {
    if (!this.#stored.has(clientId)) return false;
    return database.get(this.#storageKey(clientId)).then(
      (stored) => stored === undefined,
      () => false,
    );
  }

  async #onFailure({ clientId, recipientProfileId }: OutgoingMessage, lane: Lane, error: unknown) {
    const status = errorStatusOf(error) ?? 0;
    const body = errorBodyOf(error);
    if (status === 429 && body?.retryAfterSeconds !== undefined) {
      const until = serverNow() + body.retryAfterSeconds * 1000;
      const why = (await errorTexts.preload())?.errorText(error) ?? body.message;
      await this.#updateItem(clientId, (waiting) => ({ ...waiting, waits: { until, why } }));
      return "next";
    }
    if (body && status < 500 && status !== 429 && status !== 401) {
      const why = (await errorTexts.preload())?.errorText(error) ?? body.message;
      await this.#updateItem(clientId, (failed) => ({ ...failed, failed: why, refusal: body.code }));
      this.#transport?.onRefused();
      return "next";
    }
    this.#scheduleLane(recipientProfileId, lane, Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** lane.failures));
    lane.failures += 1;
    return "pause";
  }

  #scheduleLane(recipient: Recipient, lane: Lane, ms: number): void {
    window.clearTimeout(lane.timer);
    lane.timer = window.setTimeout(() => void this.#startLane(recipient), ms);
  }

  async #updateItem(clientId: string, update: (item: OutgoingMessage) => OutgoingMessage): Promise<void> {
    const known = this.items.getState().find((item) => item.clientId === clientId);
    if (!known) return;
    const updated = update(known);
    this.#setItems(this.items.getState().map((item) => (item === known ? updated : item)));
    await this.#write(clientId, updated);
  }

  /**
   * Each message has an entry of its own: reading a common one first would lose the message if the page closed meanwhile. If storage
   * fails, as in private windows, messages are kept in memory and sent while the page is open.
   *
   * @param item undefined deletes the message
   */
  async #write(clientId: string, item: OutgoingMessage | undefined): Promise<void> {
    if (this.account === 0 || this.#isDisposed) return;
    await database.writeAll([[this.#storageKey(clientId), item]]).then(
      () => (item ? this.#stored.add(clientId) : this.#stored.delete(clientId)),
      () => {
        const items = this.items.getState();
        this.#setItems(items.map((known) => (known.clientId === clientId ? { ...known, unkept: true } : known)));
      },
    );
  }

  #setItems(items: readonly OutgoingMessage[]): void {
    this.items.setState(items, true);
  }

  #storageKey(clientId: string): string {
    return `${this.account}:${clientId}`;
  }
}

const LOGGED_OUT_OUTBOX = new Outbox(0);
let current: Outbox | undefined;

/** One outbox per member, created by whichever comes first: the composer or the live connection. */
export function outboxOf(account: number): Outbox {
  if (account === 0) return LOGGED_OUT_OUTBOX;
  if (current?.account !== account) {
    current?.dispose();
    current = new Outbox(account);
  }
  return current;
}

onClearLocalData(async () => {
  current?.dispose();
  current = undefined;
  await database.clear().catch(() => undefined);
});
