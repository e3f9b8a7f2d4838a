import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { describe, expect, it, vi } from "vitest";
import { WIRE } from "../../api/client.ts";
import { ForeignAnswer } from "../../api/error-body.ts";
import { loginErrorText } from "./login-error.ts";

const refused = (status: number, trpcCode: string, code: string, message: string) => ({
  data: { code: trpcCode, httpStatus: status, error: { code, message } },
});

describe("a refused login", () => {
  it("has the specified text for a wrong pair, and status code and text for anything else", () => {
    const failed = "Password and/or Email address is incorrect";
    expect(loginErrorText(refused(401, "UNAUTHORIZED", "LOGIN_FAILED", failed))).toBe(failed);
    const busy = refused(429, "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", "Too many tries. Please wait a little.");
    expect(loginErrorText(busy)).toBe("429 Too Many Requests: Too many tries. Please wait a little.");
    const used = refused(
      401,
      "UNAUTHORIZED",
      "LINK_EXPIRED",
      "This link has expired or was used before. Request a new one.",
    );
    expect(loginErrorText(used)).toBe("This link has expired or was used before. Request a new one.");
    const bare = new Error("HTTP 502", { cause: new ForeignAnswer({ status: 502, statusText: "Bad Gateway" }) });
    expect(loginErrorText(bare)).toBe("502 Bad Gateway: Something went wrong on our side.");
  });

  it.each([
    [502, '{"message":"upstream"}', "application/json", "502 Bad Gateway: Something went wrong on our side."],
    [503, "<h1>Busy</h1>", "text/html", "503 Service Unavailable: Something went wrong on our side."],
    [403, "<h1>Blocked</h1>", "text/html", "403 Forbidden: Something went wrong on our side."],
    [520, "", "text/plain", "520: Something went wrong on our side."],
  ])("names the status %i of an answer that is not the interface's: %s", async (status, body, type, text) => {
    vi.stubGlobal("window", { clearTimeout, setTimeout });
    vi.stubGlobal("fetch", async () => {
      return new Response(body, {
        status,
        headers: { "content-type": type },
        ...(status === 403 && { statusText: "Forbidden" }),
      });
    });
    const client = createTRPCClient<AppRouter>({
      links: [httpBatchLink({ ...WIRE, url: "http://ember.localhost/trpc" })],
    });
    const credentials = { username: "a@example.test", password: "x", remember: false };
    const refusal: unknown = await client.accounts.login.mutate(credentials).catch((error: unknown) => error);
    expect(loginErrorText(refusal)).toBe(text);
    vi.unstubAllGlobals();
  });
});
