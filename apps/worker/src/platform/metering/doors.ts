/**
 * The only way to what costs money. Code gets its bindings through `openDoors`, which counts each use in the units of the price list: a binding
 * without a door fails the type check, and a door counts nothing that has no price.
 */
import { OBJECT_CALL_GB_S } from "@lambda/contract/cost";
import { type Env, messageDatabases } from "../env.ts";
import { charge, spend } from "../spend.ts";
import { meterDatabase } from "./meter-database.ts";

/** A queue operation each for writing, reading and deleting. */
const OPERATIONS_PER_MESSAGE = 3;

type Bindings = { [Name in keyof Env as Env[Name] extends string | undefined ? never : Name]: Env[Name] };

/** Rows that an object writes in a call, alarms included: enough on average, as metering/every-call.test.ts measures it. */
const ROWS_WRITTEN = {
  RATE_LIMITER: 2,
  SAFE_MEET: 3,
  METRICS: 1,
  MEMBER: 0,
  AREA: 0,
  SQUARE: 1,
  PICTURE_RIGHTS: 0,
  WATERMARK: 0,
};

const objects =
  (rowsWritten: number) =>
  <Api extends Rpc.DurableObjectBranded>(binding: DurableObjectNamespace<Api>): DurableObjectNamespace<Api> =>
    around(binding, {
      getByName: (name, options) => meterStub(binding.getByName(name, options), rowsWritten),
      get: (id, options) => meterStub(binding.get(id, options), rowsWritten),
    });

function meterStub<Api extends Rpc.DurableObjectBranded>(stub: DurableObjectStub<Api>, rowsWritten: number) {
  return new Proxy(stub, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function" || typeof name !== "string" || name === "dup") return value;
      return (...args: unknown[]) => {
        spend("object requests");
        spend("object GB-s", OBJECT_CALL_GB_S);
        if (rowsWritten > 0) charge("object rows written", rowsWritten);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

const bucket = (binding: R2Bucket): R2Bucket => {
  const counted =
    <Args extends unknown[], Result>(name: "R2 reads" | "R2 writes", call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      spend(name);
      return call.apply(binding, args);
    };
  return around(binding, {
    head: counted("R2 reads", binding.head),
    get: counted("R2 reads", binding.get) as R2Bucket["get"],
    put: counted("R2 writes", binding.put) as R2Bucket["put"],
    list: counted("R2 writes", binding.list),
    createMultipartUpload: counted("R2 writes", binding.createMultipartUpload),
  });
};

const database = (binding: D1Database): D1Database =>
  meterDatabase(binding, { trips: 0, rowsRead: 0, rowsWritten: 0 }, true);

/** Costs nothing by itself. */
const free = <Binding>(binding: Binding): Binding => binding;

const DOORS: { readonly [Name in keyof Bindings]: (binding: NonNullable<Bindings[Name]>) => Bindings[Name] } = {
  DB: database,
  PICTURES: bucket,
  TILES: bucket,
  BACKUPS: bucket,
  IMAGES: (binding) =>
    around(binding, {
      input: (stream, options) => {
        spend("transformations");
        return binding.input(stream, options);
      },
    }),
  ASSETS: free,
  MAIL: (binding) =>
    around(binding, {
      send: ((mail: Parameters<SendEmail["send"]>[0]) => {
        spend("mails");
        return binding.send(mail);
      }) as SendEmail["send"],
    }),
  PUSH_QUEUE: (binding) =>
    around(binding, {
      send: (body, options) => {
        spend("queue operations", OPERATIONS_PER_MESSAGE);
        return binding.send(body, options);
      },
      sendBatch: (bodies, options) => {
        const all = [...bodies];
        spend("queue operations", all.length * OPERATIONS_PER_MESSAGE);
        return binding.sendBatch(all, options);
      },
    }),
  IP_RATE_LIMIT: free,
  RATE_LIMITER: objects(ROWS_WRITTEN.RATE_LIMITER),
  MEMBER: objects(ROWS_WRITTEN.MEMBER),
  AREA: objects(ROWS_WRITTEN.AREA),
  METRICS: objects(ROWS_WRITTEN.METRICS),
  SQUARE: objects(ROWS_WRITTEN.SQUARE),
  PICTURE_RIGHTS: objects(ROWS_WRITTEN.PICTURE_RIGHTS),
  WATERMARK: objects(ROWS_WRITTEN.WATERMARK),
  SAFE_MEET: objects(ROWS_WRITTEN.SAFE_MEET),
};

export const DOOR_NAMES: ReadonlySet<string> = new Set(Object.keys(DOORS));

/** The binding with some of its methods replaced; native methods need the binding itself as `this`. */
function around<Binding extends object>(binding: Binding, replaced: Partial<Binding>): Binding {
  return new Proxy(binding, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return replaced[name as keyof Binding];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const opened = new WeakMap<object, Env>();

/** The environment whose bindings are behind their doors; the same object for the same environment. */
export function openDoors(env: Env): Env {
  const known = opened.get(env);
  if (known) return known;
  const doors: Record<string, unknown> = { ...env };
  for (const [name, door] of Object.entries(DOORS) as [keyof Bindings, (binding: unknown) => unknown][])
    if (env[name]) doors[name] = door(env[name]);
  for (const [number, messages] of messageDatabases(env)) doors[`MESSAGES_${number}`] = database(messages);
  const behind = doors as unknown as Env;
  opened.set(env, behind);
  opened.set(behind, behind);
  return behind;
}
