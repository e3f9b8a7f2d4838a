import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { smoke } from "./smoke.ts";

/** What a good version answers, by path. */
const GOOD: Readonly<Record<string, readonly [number, string]>> = {
  "/login": [200, "<title>Ember</title>"],
  "/api/version": [200, '{"gitCommitHash":"c0ffee"}'],
  "/api/sessions": [401, ""],
  "/dev/sql": [404, ""],
  "/sw.js": [200, ""],
};

let server: Server;
let answers: Record<string, readonly [number, string]>;
let asked: IncomingMessage[];
let origin: string;
beforeEach(async () => {
  [answers, asked] = [{ ...GOOD }, []];
  server = createServer((request, response) => {
    asked.push(request);
    const [status, body] = answers[request.url ?? ""] ?? [404, ""];
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

const go = () => smoke({ origins: [origin], script: "lambda", version: "v-2", commit: "c0ffee", tryEveryMs: 1 });

it("asks the version that it is about, with a session that nobody has", async () => {
  await go();
  for (const { headers } of asked) expect(headers["cloudflare-workers-version-overrides"]).toBe('lambda="v-2"');
  expect(asked.find(({ url }) => url === "/api/sessions")?.headers.cookie).toMatch(/^__Host-session=/);
});

it.each([
  ["a page that is none", "/login", [200, "Error 1101"], "/login answered without"],
  ["a database that does not answer", "/api/sessions", [500, ""], "/api/sessions answered 500 and not 401"],
  ["a door of the development build", "/dev/sql", [200, ""], "/dev/sql answered 200"],
  ["another commit", "/api/version", [200, '{"gitCommitHash":"0ld"}'], "names another commit"],
] as const)("finds %s", async (_what, path, answer, message) => {
  answers[path] = answer;
  await expect(go()).rejects.toThrow(message);
});

it("waits until a new deployment is known", async () => {
  answers["/api/version"] = [200, '{"gitCommitHash":"0ld"}'];
  setTimeout(() => {
    answers["/api/version"] = GOOD["/api/version"]!;
  }, 3);
  await smoke({ origins: [origin], script: "lambda", version: "v-2", commit: "c0ffee", tryEveryMs: 20 });
});
