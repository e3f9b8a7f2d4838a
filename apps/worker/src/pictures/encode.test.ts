import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "../platform/env.ts";
import { encodeOriginal, encodeVariant } from "./encode.ts";

beforeEach(() => vi.stubGlobal("__DEVELOPMENT__", false));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(console.error).mockReset();
});

const FILE = new Uint8Array(1000);

/** An Images binding that fails for files larger than `failsAbove`, with this error code. */
function binding(failsAbove: number, code?: number): Env {
  const input = (stream: ReadableStream) => ({
    transform: () => ({
      output: async () => {
        if ((await new Response(stream).arrayBuffer()).byteLength > failsAbove) {
          throw Object.assign(new Error("IMAGES_TRANSFORM_ERROR"), code !== undefined && { code });
        }
        return { image: () => new Blob(["made"]).stream() };
      },
    }),
  });
  return { IMAGES: { input } } as unknown as Env;
}

const refusalOf = (env: Env) => encodeOriginal(env, FILE).catch((error) => [error.appCode, error.reason]);

it("rejects an unreadable file as broken, and reports a failing service as busy", async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  expect(await refusalOf(binding(0, 9412))).toEqual(["BAD_INPUT", "BROKEN"]);
  // The free transformations of the month are used up.
  expect(await refusalOf(binding(0, 9422))).toEqual(["UNAVAILABLE", "BUSY"]);
  expect(await refusalOf(binding(0))).toEqual(["UNAVAILABLE", "BUSY"]);
  // The service decodes the probe, so the file is at fault.
  expect(await refusalOf(binding(500))).toEqual(["BAD_INPUT", "BROKEN"]);
});

it("never blames a picture that was stored before", async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  await expect(encodeVariant(binding(0, 9412), FILE, 256)).rejects.toMatchObject({ appCode: "UNAVAILABLE" });
  expect(vi.mocked(console.error).mock.calls.join()).toContain('"event":"images"');
});
