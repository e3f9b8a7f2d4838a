/** Changes a secret of the worker, and nothing else of what has all requests now. */
import { APIError } from "cloudflare/core/error";
import type { Account } from "../account/client.ts";
import { describeCode, goBack, listDeployments, versionWithAllRequests } from "./deployments.ts";

const NAME = /^[A-Z][A-Z0-9_]*$/;

/**
 * Makes a version of the code that has all requests, with the changed secret, and gives it all requests. `wrangler secret put`
 * fails after a rollback, and `wrangler versions secret put` would bring the newest code back. `null` deletes.
 */
export async function changeSecret(account: Account, script: string, name: string, value: string | null) {
  if (!NAME.test(name)) throw new Error(`"${name}" is no name of a secret, such as SITE_KEY`);
  if (value === "") throw new Error(`${name} got no value, and is unchanged.`);
  const [latest] = await listDeployments(account, script);
  if (!latest) throw new Error("There is no deployed worker: npm run setup makes the first.");
  const running = versionWithAllRequests(latest);
  if (!running) throw new Error(`A rollout is under way, and ${name} is unchanged: wait for it, or npm run rollback.`);
  const before = await describeCode(account, script, running);
  const version = await copyVersion(account, script, running, name, value);
  const after = await describeCode(account, script, version);
  if (after.code !== before.code || after.secrets.includes(name) === (value === null)) {
    throw new Error(`${version} is not ${running} with another ${name}. It has no requests, and ${name} is unchanged.`);
  }
  await goBack(account, script, version, `secret ${name}`);
  return { version, isNew: !before.secrets.includes(name) };
}

async function copyVersion(
  { id, api }: Account,
  script: string,
  running: string,
  name: string,
  value: string | null,
): Promise<string> {
  const versions = await api.workers.scripts.versions.list(script, { account_id: id });
  const isNewest = versions.getPaginatedItems()[0]?.id === running;
  try {
    // A call of wrangler's that the SDK has no method for.
    const path = `/accounts/${id}/workers/workers/${script}/versions/${isNewest ? "latest" : running}`;
    const { result } = await api.patch<{ result: { id: string } }>(path, {
      body: {
        env: { [name]: value === null ? null : { type: "secret_text", text: value } },
        annotations: { "workers/message": `secret ${name}` },
      },
      headers: { "content-type": "application/merge-patch+json" },
    });
    return result.id;
  } catch (error) {
    if (isNewest || !(error instanceof APIError)) throw error;
    throw new Error(
      `The platform makes no copy of ${running}, which is not the newest version, and ${name} is unchanged. Revert the fault in ` +
        `the code (git revert), npm run deploy, and run this again; for a key that is sealed, npm run keys -- restore. (${error.message})`,
      { cause: error },
    );
  }
}
