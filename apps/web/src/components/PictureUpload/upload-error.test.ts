import type { ErrorBody } from "@lambda/contract/errors";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import { uploadErrorText } from "./upload-error.ts";

afterEach(() => vi.unstubAllGlobals());

const refused = (error: ErrorBody["error"]) => new ApiError(400, error);

describe("uploadErrorText", () => {
  it("tells a Spanish member of quotas and suspensions in Spanish", () => {
    vi.stubGlobal("navigator", { languages: ["es-ES"] });
    const full = refused({ code: "TOO_MANY_REQUESTS", message: "You have uploaded enough.", quota: "uploadsPerHour" });
    expect(uploadErrorText(full, "es")).toBe("Has subido todas las fotos que caben en una hora.");
    const suspended = refused({ code: "SUSPENDED", message: "Your account is suspended." });
    expect(uploadErrorText(suspended, "es")).toBe("Tu cuenta está suspendida.");
  });

  it("shows the server's message in English, and the reason of a refused file in both languages", () => {
    vi.stubGlobal("navigator", { languages: ["en-US"] });
    const suspended = refused({ code: "SUSPENDED", message: "Your account is suspended." });
    expect(uploadErrorText(suspended, "en")).toBe("Your account is suspended.");
    const animated = refused({ code: "BAD_INPUT", message: "picfile: no", field: "picfile", reason: "ANIMATED" });
    expect(uploadErrorText(animated, "es")).toBe("no se aceptan fotos animadas");
  });
});
