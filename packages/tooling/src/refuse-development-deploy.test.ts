import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";

/** As wrangler runs it for a command. */
const guard = (command?: string) =>
  spawnSync(process.execPath, ["packages/tooling/src/refuse-development-deploy.mjs"], {
    cwd: ROOT,
    env: { ...process.env, WRANGLER_COMMAND: command },
    encoding: "utf8",
  });

it("the development build is bundled for this machine, and for nothing that leaves it", () => {
  expect(guard("dev").status).toBe(0);
  for (const command of ["deploy", "versions upload", "build"]) {
    expect(guard(command)).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run deploy") });
  }
});

it("stands before every bundle but production's", () => {
  const config = readFileSync(`${ROOT}wrangler.toml`, "utf8");
  expect(config).toContain('[build]\ncommand = "node packages/tooling/src/refuse-development-deploy.mjs"');
  expect(config).toContain('[env.production.build]\ncommand = ""');
});
