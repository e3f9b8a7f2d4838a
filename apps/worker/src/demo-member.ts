/**
 * Development builds only: a demo member reads what a visitor writes, types and replies, so that one person can try out a
 * conversation. Each step is an API call as that member.
 */
import type { Message } from "@lambda/contract/messages";
import { startSession } from "./accounts/sessions/sessions.ts";
import { replyTo } from "./demo-replies.ts";
import type { Context } from "./platform/context.ts";
import { SESSION_COOKIE } from "./platform/http/cookies.ts";

/** The addresses of demo members (packages/tooling/src/seed); demo logins and members created by tests have others. */
const DEMO_EMAIL = /^demo-\d+@example\.test$/;
const SEEN_AFTER_MS = 1000;
const TYPING_AFTER_MS = 2000;
const REPLY_AFTER_MS = 4000;

type FetchSite = (request: Request) => Response | Promise<Response>;

/** Replies for the demo members to whom this request sent messages. A seed or test that sets the clock writes both sides itself. */
export async function replyAsDemoMembers(ctx: Context, response: Response, fetchSite: FetchSite): Promise<void> {
  if (!ctx.viewer || !response.ok || ctx.request.headers.has("x-development-now")) return;
  const messages = await sentMessages(new URL(ctx.request.url), ctx.request.method, response);
  await Promise.all(messages.map((message) => replyToOne(ctx, message, fetchSite)));
}

/** The messages that the response says were stored: REST returns the message, tRPC an envelope or, for a batch, a list of them. */
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

async function replyToOne(ctx: Context, message: Message, fetchSite: FetchSite): Promise<void> {
  const demoMemberId = message.recipientProfileId;
  if (demoMemberId === undefined || !(await isDemoMember(ctx, demoMemberId))) return;
  const start = Date.now();
  const waitUntil = (afterMs: number) => new Promise((done) => setTimeout(done, start + afterMs - Date.now()));
  const demoMember = await logIn(ctx, demoMemberId, fetchSite);
  try {
    const writer = message.senderProfileId;
    await demoMember.call("PUT", "/api/messages/delivered", { messageIds: [message.id] });
    await waitUntil(SEEN_AFTER_MS);
    await demoMember.call("PUT", "/api/messages/read", { profileId: writer, upToMessageId: message.id });
    await waitUntil(TYPING_AFTER_MS);
    await demoMember.type(writer);
    await waitUntil(REPLY_AFTER_MS);
    const latest = await demoMember.call("GET", `/api/messages/most-recent-with/${writer}?size=1`);
    // Two messages in a row get one reply, to the last one.
    if (!latest.ok || ((await latest.json()) as Message[])[0]?.id !== message.id) return;
    // A fixed client id, so that a retried message gets one reply.
    const clientId = `demo-answer-${message.id}`;
    await demoMember.call("POST", "/api/message", { recipientProfileId: writer, bodyText: replyTo(message), clientId });
  } finally {
    await demoMember.logOut();
  }
}

async function isDemoMember({ db }: Context, id: number): Promise<boolean> {
  const account = await db.selectFrom("account").select(["email", "is_test"]).where("id", "=", id).executeTakeFirst();
  return account?.is_test === 1 && DEMO_EMAIL.test(account.email);
}

/** Logs the demo member in for one reply, on the brand of the visitor's request. */
async function logIn(visitor: Context, profileId: number, fetchSite: FetchSite) {
  const ctx: Context = { ...visitor, viewer: null, responseHeaders: new Headers(), now: Date.now(), quotas: false };
  await startSession(ctx, profileId, { remember: false, failureCode: "LOGIN_FAILED" });
  const token = new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(ctx.responseHeaders.get("set-cookie") ?? "")?.[1];
  const { origin } = new URL(visitor.request.url);
  const headers = { origin, cookie: `${SESSION_COOKIE}=${token}`, "x-development-quotas": "off" };
  const fetchPath = (path: string, init: RequestInit) => fetchSite(new Request(origin + path, init));
  return {
    call: async (method: string, path: string, body?: object) =>
      fetchPath(path, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    type: async (toProfileId: number) => {
      const { webSocket } = await fetchPath("/ws", { headers: { ...headers, upgrade: "websocket" } });
      webSocket?.accept();
      webSocket?.send(JSON.stringify({ type: "typing", toProfileId }));
      webSocket?.close();
    },
    logOut: async () => {
      await fetchPath("/api/auth/logout", { method: "POST", headers });
    },
  };
}
