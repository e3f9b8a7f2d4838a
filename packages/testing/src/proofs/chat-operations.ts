/**
 * Model-based test: random chat operations against the real worker, with repeated, lost and aborted requests and evicted objects, are
 * compared with a simple in-memory model. Throws at the first difference.
 */

import type { Conversation, Message } from "@lambda/contract/messages";
import { messageDatabases } from "@lambda/worker/message-databases";
import { createMember, type TestMember } from "../member.ts";
import { priorMessagesInDatabases, priorMessagesSql } from "../prior-messages.ts";
import { seededRandom } from "../random.ts";
import { limiterOf } from "../rate-limits.ts";
import { openSocket, type TestSocket } from "../socket.ts";
import type { TestWorker } from "../worker.ts";
import { withRetry } from "./with-retry.ts";

export interface ModelOptions {
  readonly operations: number;
  readonly seed: number;
  /** Number of groups of three members who only talk among themselves; groups run concurrently. */
  readonly lanes?: number;
  readonly onProgress?: (done: number) => void;
}

export interface ModelResult {
  readonly operations: number;
  readonly acknowledged: number;
  readonly repeated: number;
  readonly aborted: number;
  readonly evicted: number;
  readonly taken: number;
  readonly live: number;
}

/** The model of one message. Without an id it was never acknowledged, so it may be stored at most once or not at all. */
interface Known {
  readonly clientId: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  id: number | undefined;
  unsent: boolean;
  readonly deletedBy: Set<number>;
}

const MEMBERS_PER_LANE = 3;
/** Rate limits are cleared after this many sends of a member, because they are not under test here. */
const SENDS_BEFORE_CLEARING = 30;

export async function runChatModel(worker: TestWorker, options: ModelOptions): Promise<ModelResult> {
  const total = { operations: 0, acknowledged: 0, repeated: 0, aborted: 0, evicted: 0, taken: 0, live: 0 };
  const lanes = options.lanes ?? 4;
  const each = Math.ceil(options.operations / lanes);
  await Promise.all(
    Array.from({ length: lanes }, async (_, index) => {
      const lane = new Lane(worker, options.seed * 1000 + index, total);
      await lane.open();
      for (let count = 0; count < each; count += 1) {
        await lane.step();
        total.operations += 1;
        if (total.operations % 1000 === 0) options.onProgress?.(total.operations);
      }
      await lane.finish();
    }),
  );
  return total;
}

type Totals = { -readonly [Key in keyof ModelResult]: number };

class Lane {
  readonly #worker: TestWorker;
  readonly #total: Totals;
  readonly #random: () => number;
  readonly #known: Known[] = [];
  readonly #sends = new Map<number, number>();
  /** Last read message id, by "reader:other". */
  readonly #readUpTo = new Map<string, number>();
  #members: TestMember[] = [];
  #sockets: TestSocket[] = [];
  #made = 0;
  readonly #name: string;

  constructor(worker: TestWorker, seed: number, total: Totals) {
    this.#worker = worker;
    this.#total = total;
    this.#random = seededRandom(seed).next;
    this.#name = `model-${seed}-${Date.now().toString(36)}`;
  }

  async open(): Promise<void> {
    for (let count = 0; count < MEMBERS_PER_LANE; count += 1) this.#members.push(await createMember(this.#worker));
    const ids = this.#members.map(({ id }) => id);
    const databases = messageDatabases(this.#worker.env).size;
    await this.#worker.run(
      ...(databases === 0 ? [{ query: priorMessagesSql(ids) }] : priorMessagesInDatabases(ids, databases)),
    );
    this.#sockets = await Promise.all(this.#members.map((member) => openSocket(this.#worker, member)));
  }

  async step(): Promise<void> {
    const dice = this.#random();
    if (dice < 0.5) return this.#send();
    if (dice < 0.68) return this.#checkHistory();
    if (dice < 0.78) return this.#checkConversations();
    if (dice < 0.88) return this.#markRead();
    if (dice < 0.92) return this.#remove();
    if (dice < 0.94) return this.#removeWhileReading();
    if (dice < 0.97) return this.#retryLost();
    return this.#evict();
  }

  /** Resends everything that was lost; then all histories and the socket events must match the model. */
  async finish(): Promise<void> {
    for (const lost of this.#known.filter((known) => known.id === undefined)) await this.#deliver(lost);
    for (const reader of this.#members) {
      for (const other of this.#members) if (other !== reader) await this.#compareHistory(reader, other);
      await this.#compareConversations(reader);
    }
    for (const [index, member] of this.#members.entries()) {
      const socket = this.#sockets[index]!;
      const mine = this.#known.filter((known) => known.to === member.id);
      const last = mine.reduce((newest, known) => Math.max(newest, known.id ?? 0), 0);
      if (last > 0) await socket.waitFor("message", (event) => event.message.id === last);
      // Repeated events are allowed, because devices deduplicate by id; missing ones are not.
      const received = new Set(socket.events.map((event) => (event.type === "message" ? event.message.id : 0)));
      must(
        mine.every((known) => received.has(known.id ?? 0)),
        "a message was acknowledged but never sent to the recipient's socket",
      );
      this.#total.live += mine.length;
      socket.close();
    }
  }

  async #send(): Promise<void> {
    const [from, to] = this.#pair();
    const known: Known = {
      clientId: `${this.#name}-${this.#made++}`,
      from: from.id,
      to: to.id,
      text: `${word(this.#random)} ${word(this.#random)} ${this.#made}`,
      id: undefined,
      unsent: false,
      deletedBy: new Set(),
    };
    this.#known.push(known);
    const fate = this.#random();
    if (fate < 0.05) return; // The request is lost and never arrives.
    if (fate < 0.12) return this.#abort(known); // The response is lost, so it is unknown whether it arrived.
    await this.#deliver(known, fate < 0.25 ? 2 + Math.floor(this.#random() * 2) : 1);
    // Checks read-your-writes.
    const history = await this.#read<Message[]>(
      from,
      `/api/messages/between/${from.id}/${to.id}?sinceMessageId=${(known.id ?? 0) - 1}&size=1`,
    );
    must(history[0]?.id === known.id && history[0]?.bodyText === known.text, "a write was not visible to its writer");
  }

  async #deliver(known: Known, copies = 1): Promise<void> {
    const member = this.#member(known.from);
    await this.#makeRoom(member);
    if (copies > 1) this.#total.repeated += copies - 1;
    const ids = await Promise.all(
      Array.from({ length: copies }, async () => {
        const response = await this.#persist(() => member.send("POST", "/api/message", draftOf(known)));
        must(response.status === 201, `a send responded with ${response.status}: ${await response.clone().text()}`);
        return ((await response.json()) as Message).id;
      }),
    );
    must(new Set(ids).size === 1, "one message got two ids");
    if (known.id === undefined) this.#total.acknowledged += 1;
    known.id = ids[0];
  }

  /** Repeats a call whose connection the local runtime lost, like a client on a bad network. */
  async #persist(call: () => Promise<Response>): Promise<Response> {
    for (let retries = 0; ; retries += 1) {
      const response = await withRetry(call);
      if (response.status !== 500 || retries === 5) return response;
      const text = await response.clone().text();
      if (!text.includes("Network connection lost")) return response;
      this.#total.repeated += 1;
    }
  }

  async #read<T>(member: TestMember, path: string): Promise<T> {
    const response = await this.#persist(() => member.fetch(path));
    must(response.status === 200, `${path} responded with ${response.status}`);
    return (await response.json()) as T;
  }

  async #abort(known: Known): Promise<void> {
    const member = this.#member(known.from);
    await this.#makeRoom(member);
    this.#total.aborted += 1;
    const controller = new AbortController();
    const sent = member.fetch("/api/message", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(draftOf(known)),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), this.#random() * 12);
    await sent.catch(() => undefined);
  }

  async #retryLost(): Promise<void> {
    const lost = this.#known.filter((known) => known.id === undefined);
    const chosen = lost[Math.floor(this.#random() * lost.length)];
    if (chosen) await this.#deliver(chosen);
  }

  async #checkHistory(): Promise<void> {
    const [reader, other] = this.#pair();
    await this.#compareHistory(reader, other, 3);
  }

  /** Reads the history page by page, newest first, and compares it with the model. `pages` bounds the cost during the run. */
  async #compareHistory(reader: TestMember, other: TestMember, pages = Number.POSITIVE_INFINITY): Promise<void> {
    const messages: Message[] = [];
    let end = false;
    for (let page = 0; page < pages && !end; page += 1) {
      const before = messages[messages.length - 1]?.id;
      const history = await this.#read<Message[]>(
        reader,
        `/api/messages/between/${reader.id}/${other.id}?size=100${before ? `&beforeMessageId=${before}` : ""}`,
      );
      messages.push(...history);
      end = history.length < 100;
    }
    const oldest = end ? 0 : (messages[messages.length - 1]?.id ?? 0);
    const ids = messages.map((message) => message.id);
    must(
      ids.every((id, index) => index === 0 || id < ids[index - 1]!),
      "a history is out of order or doubled",
    );
    const texts = new Set(messages.map((message) => message.bodyText));
    must(texts.size === messages.length, "a message is there twice");
    for (const known of this.#between(reader.id, other.id)) {
      const isRemoved = known.unsent || known.deletedBy.has(reader.id);
      if (known.id === undefined || known.id < oldest) continue;
      must(
        texts.has(known.text) === !isRemoved,
        isRemoved ? "a removed message is there" : "an acknowledged message is lost",
      );
    }
  }

  async #checkConversations(): Promise<void> {
    await this.#compareConversations(this.#pair()[0]);
  }

  async #compareConversations(reader: TestMember): Promise<void> {
    const list = await this.#read<Conversation[]>(reader, "/api/conversations");
    for (const other of this.#members) {
      if (other === reader) continue;
      const between = this.#between(reader.id, other.id);
      const certain = between.filter((known) => known.id && !known.unsent && !known.deletedBy.has(reader.id));
      const uncertain = between.filter((known) => known.id === undefined);
      const row = list.find((item) => item.other?.profileId === other.id);
      const last = Math.max(0, ...certain.map((known) => known.id ?? 0));
      if (last > 0) must(row !== undefined && row.message.id >= last, "a conversation is missing or old");
      const readUpTo = this.#readUpTo.get(`${reader.id}:${other.id}`) ?? 0;
      const unread = certain.filter((known) => known.to === reader.id && (known.id ?? 0) > readUpTo).length;
      const unreadMax = unread + uncertain.filter((known) => known.to === reader.id).length;
      const count = row?.unread ?? 0;
      must(count >= unread && count <= unreadMax, `unread is ${count}, must be ${unread} to ${unreadMax}`);
    }
  }

  async #markRead(): Promise<void> {
    const [reader, other] = this.#pair();
    const incoming = this.#between(reader.id, other.id).filter((known) => known.to === reader.id && known.id);
    const upTo = Math.max(0, ...incoming.map((known) => known.id ?? 0));
    if (upTo > 0) await this.#markReadUpTo(reader, other, upTo);
  }

  async #markReadUpTo(reader: TestMember, other: TestMember, upTo: number): Promise<void> {
    const seen = { profileId: other.id, upToMessageId: upTo };
    const response = await this.#persist(() => reader.send("PUT", "/api/messages/read", seen));
    // 404: all messages between them were removed, so there is no conversation.
    must(response.status === 200 || response.status === 404, `marking as read responded with ${response.status}`);
    // Messages that arrived without acknowledgment are marked as read, too.
    const name = `${reader.id}:${other.id}`;
    this.#readUpTo.set(name, Math.max(upTo, this.#readUpTo.get(name) ?? 0));
  }

  async #remove(): Promise<void> {
    // A message that its reader deleted can still be unsent by its sender.
    const stored = this.#known.filter((known) => known.id && !known.unsent);
    const known = stored[Math.floor(this.#random() * stored.length)];
    if (known) await this.#removeOne(known, this.#random() < 0.6 || known.deletedBy.size > 0);
  }

  /** Unsends an unread message while its reader marks it, or another, as read; the unread count must not depend on the order. */
  async #removeWhileReading(): Promise<void> {
    const [reader, other] = this.#pair();
    const readUpTo = this.#readUpTo.get(`${reader.id}:${other.id}`) ?? 0;
    const unread = this.#between(reader.id, other.id).filter(
      (known) => known.to === reader.id && !known.unsent && (known.id ?? 0) > readUpTo,
    );
    const [removed, seen] = [0, 1].map(() => unread[Math.floor(this.#random() * unread.length)]);
    if (!removed || !seen?.id) return;
    await Promise.all([this.#markReadUpTo(reader, other, seen.id), this.#removeOne(removed, true)]);
    await this.#compareConversations(reader);
  }

  async #removeOne(known: Known, isUnsend: boolean): Promise<void> {
    const actor = this.#member(isUnsend ? known.from : known.to);
    const response = await this.#persist(() => actor.send("DELETE", `/api/message/${known.id}`));
    // 404: a retry of a request that already succeeded.
    must(response.status === 204 || response.status === 404, `removing responded with ${response.status}`);
    if (isUnsend) known.unsent = true;
    else known.deletedBy.add(actor.id);
    this.#total.taken += 1;
  }

  async #evict(): Promise<void> {
    const [member] = this.#pair();
    await this.#worker.evict("MemberObject", String(member.id)).catch((error: Error) => {
      // It is already evicted.
      if (!error.message.includes("not currently running")) throw error;
    });
    this.#total.evicted += 1;
  }

  async #makeRoom(member: TestMember): Promise<void> {
    const sends = (this.#sends.get(member.id) ?? 0) + 1;
    this.#sends.set(member.id, sends);
    if (sends % SENDS_BEFORE_CLEARING !== 0) return;
    await limiterOf(this.#worker, `messages:${member.id}`).clear();
  }

  #between(a: number, b: number): Known[] {
    return this.#known.filter(({ from, to }) => (from === a && to === b) || (from === b && to === a));
  }

  #member(id: number): TestMember {
    return this.#members.find((member) => member.id === id)!;
  }

  #pair(): [TestMember, TestMember] {
    const first = Math.floor(this.#random() * MEMBERS_PER_LANE);
    const second = (first + 1 + Math.floor(this.#random() * (MEMBERS_PER_LANE - 1))) % MEMBERS_PER_LANE;
    return [this.#members[first]!, this.#members[second]!];
  }
}

const draftOf = ({ clientId, to, text }: Known) => ({ clientId, recipientProfileId: to, bodyText: text });

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** A random word, so that no two openers are similar. */
function word(random: () => number): string {
  return Array.from({ length: 7 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join("");
}
