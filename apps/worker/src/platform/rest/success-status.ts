import type { RestMeta } from "../trpc.ts";

export function successStatusOf({ method, status }: RestMeta): number {
  return status ?? { GET: 200, PUT: 200, POST: 201, DELETE: 204 }[method];
}
