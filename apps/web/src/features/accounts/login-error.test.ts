import { describe, expect, it } from "vitest";
import { ForeignAnswer } from "../../api/error-body.ts";
import { loginErrorText } from "./login-error.ts";

const refused = (status: number, trpcCode: string, code: string, message: string) => ({
  data: { code: trpcCode, httpStatus: status, error: { code, message } },
});

describe("a refused login", () => {
  it("has the specified text for a wrong pair, and status code and text for anything else", () => {
    const failed = "Password and/or Email address is incorrect";
    expect(loginErrorText(refused(401, "UNAUTHORIZED", "LOGIN_FAILED", "x"), failed)).toBe(failed);
    const busy = refused(429, "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", "Too many tries. Please wait a little.");
    expect(loginErrorText(busy, failed)).toBe("429 Too Many Requests: Too many tries. Please wait a little.");
    const used = refused(
      401,
      "UNAUTHORIZED",
      "LINK_EXPIRED",
      "This link has expired or was used before. Request a new one.",
    );
    expect(loginErrorText(used, failed)).toBe("This link has expired or was used before. Request a new one.");
    const bare = new Error("HTTP 502", { cause: new ForeignAnswer({ status: 502, statusText: "Bad Gateway" }) });
    expect(loginErrorText(bare, failed)).toBe("502 Bad Gateway: Something went wrong on our side.");
  });
});
