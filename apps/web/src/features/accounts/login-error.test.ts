import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { describe, expect, it, vi } from "vitest";
import { httpLinkOptions } from "../../api/client.ts";
import { ForeignResponse } from "../../api/error-body.ts";
import { loginErrorText } from "./login-error.ts";

const failedCall = (status: number, trpcCode: string, code: string, message: string) => ({
  data: { code: trpcCode, httpStatus: status, error: { code, message } },
});

describe("loginErrorText", () => {
  it("returns the specified text for wrong credentials, and the HTTP status with a message for anything else", () => {
    const failed = "Password and/or Email address is incorrect";
    expect(loginErrorText(failedCall(401, "UNAUTHORIZED", "LOGIN_FAILED", failed))).toBe(failed);
    const busy = failedCall(429, "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", "Too many tries. Please wait a little.");
    expect(loginErrorText(busy)).toBe("429 Too Many Requests: Too many tries. Please wait a little.");
    const used = failedCall(
      401,
      "UNAUTHORIZED",
      "LINK_EXPIRED",
      "This link has expired or was used before. Request a new one.",
    );
    expect(loginErrorText(used)).toBe("This link has expired or was used before. Request a new one.");
    const bare = new Error("HTTP 502", { cause: new ForeignResponse({ status: 502, statusText: "Bad Gateway" }) });
    expect(loginErrorText(bare)).toBe("502 Bad Gateway: Something went wrong on our side.");
  });

  it("names a character that no address contains, and says nothing more of any other", () => {
    const failed = failedCall(401, "UNAUTHORIZED", "LOGIN_FAILED", "Password and/or Email address is incorrect");
    expect(loginErrorText(failed, "marco;polo@example.test")).toBe(
      "Password and/or Email address is incorrect. The address contains “;” (U+003B), which does not belong there.",
    );
    expect(loginErrorText(failed, " Marco@Example.test ")).toBe("Password and/or Email address is incorrect");
  });

  it.each([
    [502, '{"message":"upstream"}', "application/json", "502 Bad Gateway: Something went wrong on our side."],
    [503, "<h1>Busy</h1>", "text/html", "503 Service Unavailable: Something went wrong on our side."],
    [403, "<h1>Blocked</h1>", "text/html", "403 Forbidden: Something went wrong on our side."],
    [520, "", "text/plain", "520: Something went wrong on our side."],
  ])("shows the status %i of a response that is not from our API: %s", async (status, body, type, text) => {
    vi.stubGlobal("window", { clearTimeout, setTimeout });
    vi.stubGlobal("fetch", async () => {
      return new Response(body, {
        status,
        headers: { "content-type": type },
        ...(status === 403 && { statusText: "Forbidden" }),
      });
    });
    const client = createTRPCClient<AppRouter>({
      links: [httpBatchLink({ ...httpLinkOptions(), url: "http://ember.localhost/trpc" })],
    });
    const credentials = { username: "a@example.test", password: "x", remember: false };
    const failure: unknown = await client.accounts.login.mutate(credentials).catch((error: unknown) => error);
    expect(loginErrorText(failure)).toBe(text);
    vi.unstubAllGlobals();
  });
});
