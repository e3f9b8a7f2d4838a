/**
 * By a model: random operations of chat against the real worker, with repeated, lost and aborted requests and evicted
 * objects, beside a plain list that says what must be true. Throws at the first difference.
 */

import { createHash } from "node:crypto";
import type { Conversation, Message } from "@lambda/contract/messages";
import { acquaintedElsewhere, acquaintedSql } from "@lambda/testing/acquaint";
import { as, type TestMember } from "@lambda/testing/member";
import { seededRandom } from "@lambda/testing/random";
import { openSocket, type TestSocket } from "@lambda/testing/socket";
import type { TestWorker } from "@lambda/testing/worker";
import { messageDatabases } from "@lambda/worker/message-databases";
import { withRetry } from "./with-retry.ts";

export interface ModelOptions {
  readonly operations: number;
  readonly seed: number;
  /** Groups of three members that only talk among themselves; they run side by side. */
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

/** What must be true of one message. Without an id it was never acknowledged: it may be there or not, but once at most. */
interface Known {
  readonly clientId: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  id: number | undefined;
  unsent: boolean;
  readonly deletedBy: Set<number>;
}

const MEMBERS_A_LANE = 3;
/** Sends of one member before the cap is lifted: the cap is not what is tested here. */
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
  /** By "reader:other". */
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
    for (let count = 0; count < MEMBERS_A_LANE; count += 1) this.#members.push(await as(this.#worker));
    const ids = this.#members.map(({ id }) => id);
    const databases = messageDatabases(this.#worker.env).size;
    await this.#worker.run(
      ...(databases === 0 ? [{ query: acquaintedSql(ids) }] : acquaintedElsewhere(ids, databases)),
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

  /** Everything lost is sent again until it is acknowledged; then all must be equal, live sockets too. */
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
      if (last > 0) await socket.until("message", (event) => event.message.id === last);
      // A repeated request may tell twice, as devices know a message by its id; telling less would lose it.
      const heard = new Set(socket.events.map((event) => (event.type === "message" ? event.message.id : 0)));
      must(
        mine.every((known) => heard.has(known.id ?? 0)),
        "a message was acknowledged but never told",
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
    if (fate < 0.05) return; // Lost on the way: never arrived.
    if (fate < 0.12) return this.#abort(known); // The answer is lost: nobody knows whether it arrived.
    await this.#deliver(known, fate < 0.25 ? 2 + Math.floor(this.#random() * 2) : 1);
    // The own write, read at once.
    const answer = await this.#read<Message[]>(
      from,
      `/api/messages/between/${from.id}/${to.id}?sinceMessageId=${(known.id ?? 0) - 1}&size=1`,
    );
    must(answer[0]?.id === known.id && answer[0]?.bodyText === known.text, "a write was not read by its writer");
  }

  async #deliver(known: Known, copies = 1): Promise<void> {
    const member = this.#member(known.from);
    await this.#makeRoom(member);
    if (copies > 1) this.#total.repeated += copies - 1;
    const ids = await Promise.all(
      Array.from({ length: copies }, async () => {
        const answer = await this.#persist(() => member.send("POST", "/api/message", draftOf(known)));
        must(answer.status === 201, `a send was answered ${answer.status}: ${await answer.clone().text()}`);
        return ((await answer.json()) as Message).id;
      }),
    );
    must(new Set(ids).size === 1, "one message got two ids");
    if (known.id === undefined) this.#total.acknowledged += 1;
    known.id = ids[0];
  }

  /** Repeats a call whose connection the runtime lost, as a client on a bad network would. */
  async #persist(call: () => Promise<Response>): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const answer = await withRetry(call);
      if (answer.status !== 500 || tries === 5) return answer;
      const text = await answer.clone().text();
      if (!text.includes("Network connection lost")) return answer;
      this.#total.repeated += 1;
    }
  }

  async #read<T>(member: TestMember, path: string): Promise<T> {
    const answer = await this.#persist(() => member.fetch(path));
    must(answer.status === 200, `${path} was answered ${answer.status}`);
    return (await answer.json()) as T;
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

  /** Walks upward page by page; `pages` bounds the walk while the run goes on. */
  async #compareHistory(reader: TestMember, other: TestMember, pages = Number.POSITIVE_INFINITY): Promise<void> {
    const got: Message[] = [];
    let end = false;
    for (let page = 0; page < pages && !end; page += 1) {
      const before = got[got.length - 1]?.id;
      const answer = await this.#read<Message[]>(
        reader,
        `/api/messages/between/${reader.id}/${other.id}?size=100${before ? `&beforeMessageId=${before}` : ""}`,
      );
      got.push(...answer);
      end = answer.length < 100;
    }
    const oldest = end ? 0 : (got[got.length - 1]?.id ?? 0);
    const ids = got.map((message) => message.id);
    must(
      ids.every((id, index) => index === 0 || id < ids[index - 1]!),
      "a history is out of order or doubled",
    );
    const texts = new Set(got.map((message) => message.bodyText));
    must(texts.size === got.length, "a message is there twice");
    for (const known of this.#between(reader.id, other.id)) {
      const gone = known.unsent || known.deletedBy.has(reader.id);
      if (known.id === undefined || known.id < oldest) continue;
      must(texts.has(known.text) === !gone, gone ? "a removed message is there" : "an acknowledged message is lost");
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
      const sure = between.filter((known) => known.id && !known.unsent && !known.deletedBy.has(reader.id));
      const unsure = between.filter((known) => known.id === undefined);
      const row = list.find((item) => item.other?.profileId === other.id);
      const last = Math.max(0, ...sure.map((known) => known.id ?? 0));
      if (last > 0) must(row !== undefined && row.message.id >= last, "a conversation is missing or old");
      const readUpTo = this.#readUpTo.get(`${reader.id}:${other.id}`) ?? 0;
      const unread = sure.filter((known) => known.to === reader.id && (known.id ?? 0) > readUpTo).length;
      const most = unread + unsure.filter((known) => known.to === reader.id).length;
      const count = row?.unread ?? 0;
      must(count >= unread && count <= most, `unread is ${count}, must be ${unread} to ${most}`);
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
    const answer = await this.#persist(() => reader.send("PUT", "/api/messages/read", seen));
    // 404: everything between them was removed, so there is no conversation.
    must(answer.status === 200 || answer.status === 404, `marking read was answered ${answer.status}`);
    // What arrived without being acknowledged is seen with the rest.
    const name = `${reader.id}:${other.id}`;
    this.#readUpTo.set(name, Math.max(upTo, this.#readUpTo.get(name) ?? 0));
  }

  async #remove(): Promise<void> {
    // What its reader deleted may still be taken back by its sender.
    const there = this.#known.filter((known) => known.id && !known.unsent);
    const known = there[Math.floor(this.#random() * there.length)];
    if (known) await this.#removeOne(known, this.#random() < 0.6 || known.deletedBy.size > 0);
  }

  /** An unread message goes while its reader marks it, or one near it, as seen: in either order, the count is the same. */
  async #removeWhileReading(): Promise<void> {
    const [reader, other] = this.#pair();
    const readUpTo = this.#readUpTo.get(`${reader.id}:${other.id}`) ?? 0;
    const unread = this.#between(reader.id, other.id).filter(
      (known) => known.to === reader.id && !known.unsent && (known.id ?? 0) > readUpTo,
    );
    const [gone, seen] = [0, 1].map(() => unread[Math.floor(this.#random() * unread.length)]);
    if (!gone || !seen?.id) return;
    await Promise.all([this.#markReadUpTo(reader, other, seen.id), this.#removeOne(gone, true)]);
    await this.#compareConversations(reader);
  }

  async #removeOne(known: Known, back: boolean): Promise<void> {
    const actor = this.#member(back ? known.from : known.to);
    const answer = await this.#persist(() => actor.send("DELETE", `/api/message/${known.id}`));
    // 404: a repetition, the first one arrived.
    must(answer.status === 204 || answer.status === 404, `removing was answered ${answer.status}`);
    if (back) known.unsent = true;
    else known.deletedBy.add(actor.id);
    this.#total.taken += 1;
  }

  async #evict(): Promise<void> {
    const [member] = this.#pair();
    await this.#worker.evict("MemberObject", String(member.id)).catch((error: Error) => {
      // It sleeps already.
      if (!error.message.includes("not currently running")) throw error;
    });
    this.#total.evicted += 1;
  }

  async #makeRoom(member: TestMember): Promise<void> {
    const sends = (this.#sends.get(member.id) ?? 0) + 1;
    this.#sends.set(member.id, sends);
    if (sends % SENDS_BEFORE_CLEARING !== 0) return;
    const name = createHash("sha256").update(`messages:${member.id}`).digest("hex");
    await this.#worker.env.RATE_LIMITER.getByName(name).clear();
  }

  #between(a: number, b: number): Known[] {
    return this.#known.filter(({ from, to }) => (from === a && to === b) || (from === b && to === a));
  }

  #member(id: number): TestMember {
    return this.#members.find((member) => member.id === id)!;
  }

  #pair(): [TestMember, TestMember] {
    const first = Math.floor(this.#random() * MEMBERS_A_LANE);
    const second = (first + 1 + Math.floor(this.#random() * (MEMBERS_A_LANE - 1))) % MEMBERS_A_LANE;
    return [this.#members[first]!, this.#members[second]!];
  }
}

function draftOf({ clientId, to, text }: Known) {
  return { clientId, recipientProfileId: to, bodyText: text };
}

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Letters only, so that no two openings look alike. */
function word(random: () => number): string {
  return Array.from({ length: 7 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join("");
}
