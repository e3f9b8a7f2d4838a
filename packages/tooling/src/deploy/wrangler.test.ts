import { ensurePage } from "@lambda/testing/harness";
import { STAND_IN_TOKEN, type StandIn, startStandIn } from "@lambda/testing/platform-account";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAccount } from "../account/client.ts";
import { createBucket, createQueue } from "../account/resources.ts";
import { listDeployments, stableVersion } from "./deployments.ts";
import { rollOut } from "./rollout.ts";
import { createUploader } from "./upload.ts";

const SCRIPT = "lambda-production";

let standIn: StandIn;
beforeAll(async () => {
  ensurePage();
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

it("works with the real wrangler: it finds the resources, uploads an unused version, and sets cron triggers and routes", async () => {
  const account = await openAccount({ token: STAND_IN_TOKEN, base: standIn.base });
  const { production } = readWranglerConfig().env;
  for (const { bucket_name } of production.r2_buckets) await createBucket(account, bucket_name, "weur");
  for (const queue of ["lambda-push", "lambda-push-dead"]) await createQueue(account, queue);
  const previous = standIn.addVersion(SCRIPT, true, "v1");
  for (const secret of production.secrets?.required ?? []) standIn.scripts.get(SCRIPT)?.secrets.set(secret, "value");
  const env = {
    CLOUDFLARE_API_BASE_URL: standIn.base,
    CLOUDFLARE_API_TOKEN: STAND_IN_TOKEN,
    CLOUDFLARE_ACCOUNT_ID: standIn.account,
  };
  const { upload, setTriggers } = createUploader(env, "ignore");
  const version = await upload("a commit");
  expect(stableVersion(await listDeployments(account, SCRIPT))).toBe(previous);
  await rollOut(account, {
    script: SCRIPT,
    version,
    message: "a commit",
    steps: [100],
    looks: 1,
    say: () => undefined,
    smoke: async () => undefined,
    pause: async () => undefined,
  });
  await setTriggers();
  expect(stableVersion(await listDeployments(account, SCRIPT))).toBe(version);
  const script = standIn.scripts.get(SCRIPT);
  expect(script?.crons).toEqual(production.triggers.crons);
  expect(script?.domains).toEqual(production.routes?.map(({ pattern }) => pattern));
  expect(standIn.requests.filter((request) => request.startsWith("DELETE"))).toEqual([]);
});
