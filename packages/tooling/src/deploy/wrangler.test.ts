import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAKE_API_TOKEN, type FakeCloudflare, startFakeCloudflare } from "@lambda/testing/fake-cloudflare";
import { ensurePage } from "@lambda/testing/harness";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAccount } from "../account/client.ts";
import { createBucket, createQueue } from "../account/resources.ts";
import { writeDeployedConfig } from "../deployment/config.ts";
import { openLog } from "../deployment/run-wrangler.ts";
import { listDeployments, stableVersion } from "./deployments.ts";
import { rollOut } from "./rollout.ts";
import { createUploader } from "./upload.ts";

const SCRIPT = "lambda-production";

let cloudflare: FakeCloudflare;
let folder: string;
let config: string;
beforeAll(async () => {
  ensurePage();
  cloudflare = await startFakeCloudflare();
  folder = mkdtempSync(join(tmpdir(), "wrangler-test-"));
  config = writeDeployedConfig(ROOT, folder);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cloudflare.close();
});

it("makes the first deployment with the real wrangler, with all classes, bindings and secrets", {
  tags: "slow",
  timeout: 120_000,
}, async () => {
  const fresh = await startFakeCloudflare();
  try {
    const account = await openAccount({ token: FAKE_API_TOKEN, base: fresh.base });
    const { migrations = [], env } = readWranglerConfig() as ReturnType<typeof readWranglerConfig> & {
      migrations?: { tag: string }[];
    };
    const { production } = env;
    for (const { bucket_name } of production.r2_buckets) await createBucket(account, bucket_name, "weur");
    for (const queue of ["lambda-push", "lambda-push-dead"]) await createQueue(account, queue, "eu");
    const secrets = production.secrets?.required ?? [];
    const file = join(folder, "secrets");
    writeFileSync(file, secrets.map((name) => `${name}=value of ${name}`).join("\n"));
    const variables = { CLOUDFLARE_API_BASE_URL: fresh.base, CLOUDFLARE_API_TOKEN: FAKE_API_TOKEN };
    const { deployAtOnce } = createUploader(config, variables);
    // A token that lacks a permission, and a platform that fails in the middle; then it is run again.
    const stopRefusing = fresh.failNext(/^PUT .*\/scripts\/[\w-]+$/, 403, Number.POSITIVE_INFINITY, 10000);
    await expect(deployAtOnce(file)).rejects.toThrow(
      /^wrangler deploy failed: .*lambda-production\) failed\. The token lacks Workers Scripts Edit\. All it printed: deployment\/wrangler\.log$/,
    );
    stopRefusing();
    const stopFailing = fresh.failNext(/^PUT .*\/schedules$/, 503, Number.POSITIVE_INFINITY, 10013);
    await expect(deployAtOnce(file)).rejects.toThrow(/^wrangler deploy failed: .*partially updated: Cron schedules: /);
    stopFailing();
    await deployAtOnce(file);
    const script = fresh.scripts.get(SCRIPT)!;
    const [version] = script.versions;
    expect(stableVersion(await listDeployments(account, SCRIPT))).toBe(version?.id);
    expect(Object.fromEntries(script.secrets)).toEqual(
      Object.fromEntries(secrets.map((name) => [name, `value of ${name}`])),
    );
    expect(script.migrationTag).toBe(migrations.at(-1)?.tag);
    const classes = version?.bindings.filter(({ type }) => type === "durable_object_namespace");
    expect(classes).toHaveLength(8);
    expect(version?.bindings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["DB", "PICTURES", "TILES", "BACKUPS", "IMAGES", "MAIL", "PUSH_QUEUE", "ASSETS"]),
    );
    expect(script.crons).toEqual(production.triggers.crons);
    expect(script.domains).toEqual(production.routes?.map(({ pattern }) => pattern));
    const consumers = fresh.requests.filter((request) => request.startsWith("POST") && /consumers$/.test(request));
    expect(new Set(consumers).size).toBe(2);
  } finally {
    await fresh.close();
  }
});

it("works with the real wrangler: it finds the resources, uploads an unused version, and sets cron triggers and routes", {
  tags: "slow",
  timeout: 120_000,
}, async () => {
  const account = await openAccount({ token: FAKE_API_TOKEN, base: cloudflare.base });
  const { production } = readWranglerConfig().env;
  for (const { bucket_name } of production.r2_buckets) await createBucket(account, bucket_name, "weur");
  for (const queue of ["lambda-push", "lambda-push-dead"]) await createQueue(account, queue, "eu");
  const previous = cloudflare.addVersion(SCRIPT, true, "v1");
  for (const secret of production.secrets?.required ?? []) cloudflare.scripts.get(SCRIPT)?.secrets.set(secret, "value");
  const env = {
    CLOUDFLARE_API_BASE_URL: cloudflare.base,
    CLOUDFLARE_API_TOKEN: FAKE_API_TOKEN,
    CLOUDFLARE_ACCOUNT_ID: cloudflare.account,
  };
  const { upload, setTriggers } = createUploader(config, env);
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
  const script = cloudflare.scripts.get(SCRIPT);
  expect(script?.crons).toEqual(production.triggers.crons);
  expect(script?.domains).toEqual(production.routes?.map(({ pattern }) => pattern));
  expect(cloudflare.requests.filter((request) => request.startsWith("DELETE"))).toEqual([]);
});

it("goes on where the disk of its log is full", async () => {
  const log = openLog("/dev/full");
  log.write("what wrangler printed\n");
  await new Promise<void>((resolve) => log.once("close", () => resolve()));
  expect(log.write("more")).toBe(false);
});
