/**
 * The worker with lagging replicas of its databases. Its /replica endpoint changes settings and returns
 * request counts.
 */
import worker, {
  AreaObject as Area,
  MemberObject as Member,
  PictureRights as Rights,
  SquareObject as Square,
  WatermarkObject as Watermark,
} from "@lambda/worker/entry";
import { type Env, messageDatabases } from "@lambda/worker/env";
import {
  createReplicatedDatabase,
  type ReplicaSettings,
  replicaBookmark,
  simulation,
  syncReplica,
  toBookmark,
} from "./replicated-database.ts";

type ReplicaEnv = Env & Readonly<Record<`${string}_REPLICA`, D1Database>>;

/** Lists the bindings of all databases, each with its primary and its replica. */
function listDatabases(env: ReplicaEnv): (readonly [binding: string, primary: D1Database, replica: D1Database])[] {
  const messages = [...messageDatabases(env)].map(([number, d1]) => [`MESSAGES_${number}`, d1] as const);
  return [["DB", env.DB] as const, ...messages].map(([binding, d1]) => [binding, d1, env[`${binding}_REPLICA`]!]);
}

function replicatedDatabases(
  env: ReplicaEnv,
  wrap: (d1: D1Database, binding: string) => D1Database = (d1) => d1,
): object {
  return Object.fromEntries(
    listDatabases(env).map(([binding, primary, replica]) => [
      binding,
      wrap(createReplicatedDatabase(primary, replica, binding), binding),
    ]),
  );
}

// The other Durable Objects are unchanged.
export * from "@lambda/worker/entry";

export class MemberObject extends Member {
  constructor(ctx: DurableObjectState, env: ReplicaEnv) {
    super(ctx, replicaEnv(env));
  }
}

export class AreaObject extends Area {
  constructor(ctx: DurableObjectState, env: ReplicaEnv) {
    super(ctx, replicaEnv(env));
  }
}

export class SquareObject extends Square {
  constructor(ctx: DurableObjectState, env: ReplicaEnv) {
    super(ctx, replicaEnv(env));
  }
}

export class PictureRights extends Rights {
  constructor(ctx: DurableObjectState, env: ReplicaEnv) {
    super(ctx, replicaEnv(env));
  }
}

/**
 * Sees the primary only in the state of the replica, so that tests fail unless reported writes alone keep the watermark
 * correct.
 */
export class WatermarkObject extends Watermark {
  constructor(ctx: DurableObjectState, env: ReplicaEnv) {
    super(ctx, { ...env, ...replicatedDatabases(env, withReplicaBookmark) });
  }
}

function withReplicaBookmark(d1: D1Database, binding: string): D1Database {
  const withSession = (): D1DatabaseSession => {
    const { prepare, batch } = d1.withSession("first-primary");
    return { prepare, batch, getBookmark: () => replicaBookmark(binding) };
  };
  return { prepare: d1.prepare, batch: d1.batch, exec: d1.exec, dump: d1.dump, withSession };
}

function replicaEnv(env: ReplicaEnv): Env {
  return {
    ...env,
    ...replicatedDatabases(env),
    WATERMARK: simulatedWatermark(env.WATERMARK, [...messageDatabases(env).keys()]),
  };
}

function simulatedWatermark(real: Env["WATERMARK"], messages: readonly number[]): Env["WATERMARK"] {
  const oldest = [toBookmark(0), ...messages.map((number) => `${number}=${toBookmark(0)}`)].join(" ");
  const { settings, counts } = simulation;
  const get: Env["WATERMARK"]["get"] = (id, options) => {
    const stub = real.get(id, options);
    const getBookmark = async () => {
      counts.watermark += 1;
      if (settings.watermark === "down") throw new Error("the watermark is down");
      return oldest;
    };
    const getSession = async (...[key, known]: Parameters<typeof stub.getSession>) => {
      const bookmark = await getBookmark();
      const state = await stub.getSession(key, known);
      return settings.watermark === "stale" ? { ...state, bookmark, isCurrent: false } : state;
    };
    const getUpdates = async (key: string, since: Parameters<typeof stub.getUpdates>[1]) => {
      const bookmark = await getBookmark();
      // As if nobody had recorded a write.
      if (settings.watermark === "stale")
        return { bookmark, mark: { life: "stale", at: 0 }, changed: since ? [] : "anybody" };
      return stub.getUpdates(key, since);
    };
    const recordWrite: typeof stub.recordWrite = async (written) => {
      counts.watermark += 1;
      if (settings.watermark === "up") await stub.recordWrite(written);
    };
    const getNews = (...input: Parameters<typeof stub.getNews>) => stub.getNews(...input);
    return { getSession, getUpdates, getNews, recordWrite } as unknown as ReturnType<Env["WATERMARK"]["get"]>;
  };
  return { get, idFromName: (name: string) => real.idFromName(name) } as Env["WATERMARK"];
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/replica") {
      const { sync, ...settings } = await request.json<Partial<ReplicaSettings> & { sync?: boolean | string }>();
      Object.assign(simulation.settings, settings);
      for (const [binding, primary, replica] of listDatabases(env))
        if (sync === true || sync === binding) await syncReplica(primary, replica, binding);
      const counts = { ...simulation.counts };
      Object.assign(simulation.counts, { primary: 0, replica: 0, waits: 0, watermark: 0 });
      return Response.json(counts);
    }
    return worker.fetch(request, replicaEnv(env), ctx);
  },
  scheduled: (controller, env) => worker.scheduled(controller, replicaEnv(env)),
  queue: (messages, env, ctx) => worker.queue(messages, replicaEnv(env), ctx),
} satisfies ExportedHandler<ReplicaEnv>;
