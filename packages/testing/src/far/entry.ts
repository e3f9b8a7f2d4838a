/** The worker with its primary database far away. Its door /far changes how far, and tells what was asked of whom. */
import worker, {
  AreaObject as Area,
  MemberObject as Member,
  PictureRights as Rights,
  SquareObject as Square,
  WatermarkObject as Watermark,
} from "@lambda/worker/entry";
import { type Env, messageDatabases } from "@lambda/worker/env";
import { bookmarkOf, catchUp, type FarSettings, far, farDatabase, reachedBookmark, sleep } from "./far-database.ts";

type FarEnv = Env & Readonly<Record<`${string}_REPLICA`, D1Database>>;

/** Each database by its binding, with the copy of it near by. */
function pairsOf(env: FarEnv): (readonly [binding: string, primary: D1Database, replica: D1Database])[] {
  const messages = [...messageDatabases(env)].map(([number, d1]) => [`MESSAGES_${number}`, d1] as const);
  return [["DB", env.DB] as const, ...messages].map(([binding, d1]) => [binding, d1, env[`${binding}_REPLICA`]!]);
}

function eachFar(env: FarEnv, make: (far: D1Database, binding: string) => D1Database = (made) => made): object {
  return Object.fromEntries(
    pairsOf(env).map(([binding, primary, replica]) => [binding, make(farDatabase(primary, replica, binding), binding)]),
  );
}

// The other objects as they are.
export * from "@lambda/worker/entry";

export class MemberObject extends Member {
  constructor(ctx: DurableObjectState, env: FarEnv) {
    super(ctx, farEnv(env));
  }
}

export class AreaObject extends Area {
  constructor(ctx: DurableObjectState, env: FarEnv) {
    super(ctx, farEnv(env));
  }
}

export class SquareObject extends Square {
  constructor(ctx: DurableObjectState, env: FarEnv) {
    super(ctx, farEnv(env));
  }
}

export class PictureRights extends Rights {
  constructor(ctx: DurableObjectState, env: FarEnv) {
    super(ctx, farEnv(env));
  }
}

/** What it learns of the primary by itself is no newer than the replica: telling alone must be enough. */
export class WatermarkObject extends Watermark {
  constructor(ctx: DurableObjectState, env: FarEnv) {
    super(ctx, { ...env, ...eachFar(env, stillDatabase) });
  }
}

function stillDatabase(d1: D1Database, binding: string): D1Database {
  const withSession = (): D1DatabaseSession => {
    const { prepare, batch } = d1.withSession("first-primary");
    return { prepare, batch, getBookmark: () => reachedBookmark(binding) };
  };
  return { prepare: d1.prepare, batch: d1.batch, exec: d1.exec, dump: d1.dump, withSession };
}

function farEnv(env: FarEnv): Env {
  return { ...env, ...eachFar(env), WATERMARK: farWatermark(env.WATERMARK, [...messageDatabases(env).keys()]) };
}

function farWatermark(real: Env["WATERMARK"], messages: readonly number[]): Env["WATERMARK"] {
  const oldest = [bookmarkOf(0), ...messages.map((number) => `${number}=${bookmarkOf(0)}`)].join(" ");
  const { settings, counts } = far;
  const get: Env["WATERMARK"]["get"] = (id, options) => {
    const stub = real.get(id, options);
    const getBookmark = async (key: string) => {
      counts.watermark += 1;
      await sleep(settings.watermarkMs);
      if (settings.watermark === "down") throw new Error("no watermark here");
      return settings.watermark === "deaf" ? oldest : stub.getBookmark(key);
    };
    const getUpdates = async (key: string, since: Parameters<typeof stub.getUpdates>[1]) => {
      const bookmark = await getBookmark(key);
      // Deaf to what was told, as if nobody had said anything.
      if (settings.watermark === "deaf")
        return { bookmark, mark: { life: "deaf", at: 0 }, changed: since ? [] : "anybody" };
      return { ...(await stub.getUpdates(key, since)), bookmark };
    };
    const recordWrite: typeof stub.recordWrite = async (written) => {
      counts.watermark += 1;
      // Another region's is as far as the primary; one's own is near.
      await sleep(written.key === undefined ? settings.primaryMs : settings.watermarkMs);
      if (settings.watermark === "up") await stub.recordWrite(written);
    };
    return { getBookmark, getUpdates, recordWrite } as unknown as ReturnType<Env["WATERMARK"]["get"]>;
  };
  return { get, idFromName: (name: string) => real.idFromName(name) } as Env["WATERMARK"];
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/far") {
      const { catchUp: wanted, ...settings } = await request.json<
        Partial<FarSettings> & { catchUp?: boolean | string }
      >();
      Object.assign(far.settings, settings);
      for (const [binding, primary, replica] of pairsOf(env))
        if (wanted === true || wanted === binding) await catchUp(primary, replica, binding);
      const counts = { ...far.counts };
      Object.assign(far.counts, { primary: 0, replica: 0, waits: 0, watermark: 0 });
      return Response.json(counts);
    }
    return worker.fetch(request, farEnv(env), ctx);
  },
  scheduled: (controller, env) => worker.scheduled(controller, farEnv(env)),
  queue: (messages, env, ctx) => worker.queue(messages, farEnv(env), ctx),
} satisfies ExportedHandler<FarEnv>;
