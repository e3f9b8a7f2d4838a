import { setImmediate } from "node:timers/promises";
import { BRANDS } from "@lambda/brands";
import { describe, expect, it } from "vitest";
import type { Env } from "../platform/env.ts";
import { finishScheduledWork, scheduledContext } from "./notify.ts";

const env = { DB: {} } as Env;

describe("the context of scheduled work", () => {
  it("lets a run wait for its work, and for the work that this leaves", async () => {
    const done: string[] = [];
    const later = async (name: string) => {
      await setImmediate();
      done.push(name);
    };
    const { waitUntil } = scheduledContext(env, "ember", 0);
    waitUntil(later("mail").then(() => waitUntil(later("push"))));
    await finishScheduledWork(env);
    expect(done).toEqual(["mail", "push"]);
  });

  it("has the first brand for cases of a brand that no longer exists", () => {
    expect(scheduledContext(env, "harbor", 0).brand.id).toBe("harbor");
    expect(scheduledContext(env, "gone", 0).brand).toBe(BRANDS[0]);
  });
});
