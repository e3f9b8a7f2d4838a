/**
 * Development builds alone: a member of the demo sees what a visitor writes, types, and answers, so that one person can try
 * a conversation. Each step is a call of the site as that member; nothing here is in a production build.
 */
import type { Message } from "@lambda/contract/messages";
import { answerTo } from "./demo-answers.ts";
import { startSession } from "./members/sessions/sessions.ts";
import type { Context } from "./platform/context.ts";
import { SESSION_COOKIE } from "./platform/http/cookies.ts";

/** Members of the demo have these addresses (packages/tooling/src/seed); its logins, and members of tests, have others. */
const NEIGHBOUR = /^demo-\d+@example\.test$/;
const SEEN_AFTER_MS = 1000;
const TYPING_AFTER_MS = 2000;
const ANSWER_AFTER_MS = 4000;

type AskSite = (request: Request) => Response | Promise<Response>;

/** Lets those answer who were written to by this request. A seed or a test that sets the clock plays both sides itself. */
export async function answerAsNeighbour(ctx: Context, response: Response, askSite: AskSite): Promise<void> {
  if (!ctx.viewer || !response.ok || ctx.request.headers.has("x-development-now")) return;
  const messages = await sentMessages(new URL(ctx.request.url), ctx.request.method, response);
  await Promise.all(messages.map((message) => answerOne(ctx, message, askSite)));
}

/** What the answer says was stored: REST answers the message, tRPC an envelope, or a list of them for a batch. */
async function sentMessages(url: URL, method: string, response: Response): Promise<Message[]> {
  if (method !== "POST") return [];
  if (url.pathname === "/api/message") return [(await response.clone().json()) as Message];
  const calls = url.pathname.replace(/^\/trpc\//, "").split(",");
  if (!calls.includes("messages.send")) return [];
  const body = (await response.clone().json()) as Envelope | Envelope[];
  const envelopes = Array.isArray(body) ? body : [body];
  return envelopes.flatMap(({ result }, index) => (calls[index] === "messages.send" && result ? [result.data] : []));
}

interface Envelope {
  readonly result?: { readonly data: Message };
}

async function answerOne(ctx: Context, message: Message, askSite: AskSite): Promise<void> {
  const neighbourId = message.recipientProfileId;
  if (neighbourId === undefined || !(await isNeighbour(ctx, neighbourId))) return;
  const began = Date.now();
  const until = (afterMs: number) => new Promise((done) => setTimeout(done, began + afterMs - Date.now()));
  const neighbour = await enter(ctx, neighbourId, askSite);
  try {
    const writer = message.senderProfileId;
    await neighbour.call("PUT", "/api/messages/delivered", { messageIds: [message.id] });
    await until(SEEN_AFTER_MS);
    await neighbour.call("PUT", "/api/messages/read", { profileId: writer, upToMessageId: message.id });
    await until(TYPING_AFTER_MS);
    await neighbour.type(writer);
    await until(ANSWER_AFTER_MS);
    const latest = await neighbour.call("GET", `/api/messages/most-recent-with/${writer}?size=1`);
    // Two messages in a row get one answer, to the last one.
    if (!latest.ok || ((await latest.json()) as Message[])[0]?.id !== message.id) return;
    // The same id each time: the site stores one answer to a message, however often it was sent.
    const clientId = `demo-answer-${message.id}`;
    await neighbour.call("POST", "/api/message", { recipientProfileId: writer, bodyText: answerTo(message), clientId });
  } finally {
    await neighbour.leave();
  }
}

async function isNeighbour({ db }: Context, id: number): Promise<boolean> {
  const account = await db.selectFrom("account").select(["email", "is_test"]).where("id", "=", id).executeTakeFirst();
  return account?.is_test === 1 && NEIGHBOUR.test(account.email);
}

/** Logs the neighbour in for one answer, on the brand that was asked. */
async function enter(asked: Context, profileId: number, askSite: AskSite) {
  const ctx: Context = { ...asked, viewer: null, responseHeaders: new Headers(), now: Date.now(), quotas: false };
  await startSession(ctx, profileId, { remember: false, refusedAs: "LOGIN_FAILED" });
  const token = new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(ctx.responseHeaders.get("set-cookie") ?? "")?.[1];
  const { origin } = new URL(asked.request.url);
  const headers = { origin, cookie: `${SESSION_COOKIE}=${token}`, "x-development-quotas": "off" };
  const ask = (path: string, init: RequestInit) => askSite(new Request(origin + path, init));
  return {
    call: async (method: string, path: string, body?: object) =>
      ask(path, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    type: async (toProfileId: number) => {
      const { webSocket } = await ask("/ws", { headers: { ...headers, upgrade: "websocket" } });
      webSocket?.accept();
      webSocket?.send(JSON.stringify({ type: "typing", toProfileId }));
      webSocket?.close();
    },
    leave: async () => {
      await ask("/api/auth/logout", { method: "POST", headers });
    },
  };
}
