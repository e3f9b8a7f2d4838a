import type { Env } from "../../platform/env.ts";
import { parseVersions } from "../../platform/keys.ts";

type PushEnv = Pick<Env, "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY">;

export interface PushKeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The pairs that sign pushes, the newest first. Each subscription accepts only the one that it was made with. */
export function listPushKeys({ VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY }: PushEnv): PushKeyPair[] {
  return [...parseVersions("VAPID_PRIVATE_KEY", VAPID_PRIVATE_KEY).values()].map((version) => {
    const [privateKey = "", publicKey = VAPID_PUBLIC_KEY] = version.split(".");
    return { privateKey, publicKey };
  });
}

/** What a browser subscribes with. */
export const newestPushKey = (env: PushEnv): string => listPushKeys(env)[0]?.publicKey ?? "";
