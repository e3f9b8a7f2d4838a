import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { codeText } from "./code-text.ts";
import { fetchWithDeadline } from "./fetch-with-deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A line that accepts requests and never answers; `body` answers with headers and then stalls. */
function stall(body: boolean): void {
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    const abort = new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    );
    const stream = new ReadableStream({ pull: () => abort });
    return body ? Promise.resolve(new Response(stream)) : abort;
  });
}

it.each([
  ["the response", false],
  ["its body", true],
])("ends a call when %s never comes, with a word for the member", async (_, body) => {
  stall(body);
  const call = fetchWithDeadline("/trpc/x").then((response) => response.text());
  const failure = call.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(codeText(await failure)).toBe("No answer came. Check your connection and try again.");
});

it("gives a message less time than a call, and a recording more", async () => {
  stall(false);
  const ended: string[] = [];
  for (const kind of ["bytes", "call", "message"] as const)
    fetchWithDeadline("/trpc/x", {}, kind).catch(() => ended.push(kind));
  for (const ms of [15_000, 5000, 100_000]) await vi.advanceTimersByTimeAsync(ms);
  expect(ended).toEqual(["message", "call", "bytes"]);
});

it("goes on with bytes for as long as they arrive, and gives up when they stop", async () => {
  let stream!: ReadableStreamDefaultController<Uint8Array>;
  vi.stubGlobal("fetch", async (_: string, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", () => stream.error(signal.reason));
    return new Response(
      new ReadableStream({
        start(controller) {
          stream = controller;
        },
      }),
    );
  });
  const fetchBytes = async () => (await fetchWithDeadline("/api/message/1/open", {}, "bytes")).arrayBuffer();
  const slow = fetchBytes();
  for (let chunk = 0; chunk < 20; chunk += 1) {
    await vi.advanceTimersByTimeAsync(20_000);
    stream.enqueue(new Uint8Array(10));
  }
  stream.close();
  expect((await slow).byteLength).toBe(200);
  const stalled = fetchBytes().catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(0);
  stream.enqueue(new Uint8Array(10));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await stalled).toBe("DeadlinePassed");
  expect(vi.getTimerCount()).toBe(0);
});

it("still obeys the caller's signal, and leaves no timer behind", async () => {
  stall(false);
  const closing = new AbortController();
  const call = fetchWithDeadline("/trpc/x", { signal: closing.signal }).catch((error: Error) => error.message);
  closing.abort(new Error("closed"));
  expect(await call).toBe("closed");
  expect(vi.getTimerCount()).toBe(0);
});

it("takes what a hotel's network answers in our place for no network", async () => {
  const page = () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } });
  vi.stubGlobal("fetch", async () => page());
  for (const call of [
    () => fetchWithDeadline("/trpc/accounts.session"),
    () => fetchWithDeadline("/api/unlock", { method: "POST" }),
  ]) {
    const failure = await call().catch((error: unknown) => error);
    expect(codeText(failure)).toBe("You seem to be offline. Check your connection and try again.");
  }
  vi.stubGlobal("fetch", async () => Response.json({}));
  expect((await fetchWithDeadline("/api/unlock", { method: "POST" })).ok).toBe(true);
});
