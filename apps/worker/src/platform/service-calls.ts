import type { Env } from "./env.ts";

const OBJECTS = [
  "RATE_LIMITER",
  "MEMBER",
  "AREA",
  "METRICS",
  "SQUARE",
  "PICTURE_RIGHTS",
  "WATERMARK",
  "SAFE_MEET",
] as const;
const OTHERS = ["PICTURES", "TILES", "BACKUPS", "IMAGES", "MAIL", "PUSH_QUEUE"] as const;

/** The environment whose calls of objects, buckets, queue, mail and images add to `cost`: the platform limits them for each invocation. */
export function countServiceCalls(env: Env, cost: { calls: number }): Env {
  const counted = <Binding extends object>(binding: Binding): Binding =>
    around(binding, (_, call) => {
      cost.calls += 1;
      return call();
    });
  const objects = <Binding extends object>(binding: Binding): Binding =>
    around(binding, (name, call) => (name === "getByName" || name === "get" ? counted(call() as object) : call()));
  return Object.assign(
    Object.create(env) as Env,
    Object.fromEntries(OBJECTS.flatMap((name) => (env[name] ? [[name, objects(env[name])]] : []))),
    Object.fromEntries(OTHERS.flatMap((name) => (env[name] ? [[name, counted(env[name])]] : []))),
  );
}

/** Native methods need the binding itself as `this`. */
function around<Binding extends object>(
  binding: Binding,
  act: (name: string, call: () => unknown) => unknown,
): Binding {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function" || typeof name !== "string" || name === "then") return value;
      return (...args: unknown[]) => act(name, () => Reflect.apply(value, target, args));
    },
  });
}
