import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { spend } from "../spend.ts";
import { openDoors } from "./doors.ts";

/** What each object is made of: its bindings are behind their doors, and in development the rows that it writes are counted. */
export abstract class MeteredObject extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, openDoors(env));
    if (__DEVELOPMENT__) this.ctx = countWrites(ctx as DurableObjectState<Record<string, never>>);
  }
}

const WRITES: ReadonlySet<string | symbol> = new Set(["put", "delete", "deleteAll", "setAlarm"]);

function countWrites<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === "object" && value !== null && (name === "storage" || name === "kv"))
        return countWrites(value);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (WRITES.has(name)) spend("object rows written", Array.isArray(args[0]) ? args[0].length : 1, false);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
