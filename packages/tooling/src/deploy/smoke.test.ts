import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { awaitOrigins, runSmokeTest } from "./smoke.ts";

/** Responses of a working version, by path. */
const GOOD: Readonly<Record<string, readonly [number, string]>> = {
  "/login": [200, "<title>Ember</title>"],
  "/api/version": [200, '{"gitCommitHash":"c0ffee"}'],
  "/api/sessions": [401, ""],
  "/dev/sql": [404, ""],
  "/sw.js": [200, ""],
};

let server: Server;
let responses: Record<string, readonly [number, string]>;
let requests: IncomingMessage[];
let origin: string;
beforeEach(async () => {
  [responses, requests] = [{ ...GOOD }, []];
  server = createServer((request, response) => {
    requests.push(request);
    const [status, body] = responses[request.url ?? ""] ?? [404, ""];
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

const go = () =>
  runSmokeTest({ origins: [origin], script: "lambda", version: "v-2", commit: "c0ffee", retryDelayMs: 1 });

it("requests the given version, with an invalid session", async () => {
  await go();
  for (const { headers } of requests) expect(headers["cloudflare-workers-version-overrides"]).toBe('lambda="v-2"');
  expect(requests.find(({ url }) => url === "/api/sessions")?.headers.cookie).toMatch(/^__Host-session=/);
});

it.each([
  ["an error page", "/login", [200, "Error 1101"], "/login answered without"],
  ["a database that does not respond", "/api/sessions", [500, ""], "/api/sessions answered 500 and not 401"],
  ["a development endpoint", "/dev/sql", [200, ""], "/dev/sql answered 200"],
  ["another commit", "/api/version", [200, '{"gitCommitHash":"0ld"}'], "names another commit"],
] as const)("detects %s", async (_name, path, response, message) => {
  responses[path] = response;
  await expect(go()).rejects.toThrow(message);
});

it("asks again where no answer came, and says so if none comes", async () => {
  let cut = 3;
  server.prependListener("request", (request: IncomingMessage) => cut-- > 0 && request.socket.destroy());
  await go();
  cut = Number.POSITIVE_INFINITY;
  await expect(go()).rejects.toThrow(/\/api\/version gave no answer, asked 4 times: (ECONNRESET|UND_ERR_SOCKET)$/);
});

it("waits until a new deployment has propagated", async () => {
  responses["/api/version"] = [200, '{"gitCommitHash":"0ld"}'];
  setTimeout(() => {
    responses["/api/version"] = GOOD["/api/version"]!;
  }, 3);
  await runSmokeTest({ origins: [origin], script: "lambda", version: "v-2", commit: "c0ffee", retryDelayMs: 20 });
});

it("waits for an address that does not answer yet, says for what, and gives up with the last answer", async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  responses["/api/version"] = [530, "error code: 1016"];
  server.prependListener("request", () => {
    if (requests.length === 3) responses["/api/version"] = GOOD["/api/version"]!;
  });
  await awaitOrigins({ origins: [origin], pauseMs: 1, say });
  expect(lines).toEqual([
    `Waiting up to 15 minutes for ${origin}, its DNS record and its certificate: it answered 530 without the site's version.`,
    `${origin} answers.`,
  ]);
  expect(requests).toHaveLength(4);
  const closed = "http://127.0.0.1:1";
  const gone = awaitOrigins({ origins: [closed], waitMs: 1, pauseMs: 1, say });
  await expect(gone).rejects.toThrow(`${closed} did not answer within 1 minutes`);
});
