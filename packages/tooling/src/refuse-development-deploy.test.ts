import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";

/** Runs the guard as wrangler does for a command. */
const guard = (command?: string) =>
  spawnSync(process.execPath, ["packages/tooling/src/refuse-development-deploy.mjs"], {
    cwd: ROOT,
    env: { ...process.env, WRANGLER_COMMAND: command },
    encoding: "utf8",
  });

it("allows the development build only for local use", () => {
  expect(guard("dev").status).toBe(0);
  for (const command of ["deploy", "versions upload", "build"]) {
    expect(guard(command)).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run deploy") });
  }
});

it("guards every build except production", () => {
  const config = readFileSync(`${ROOT}wrangler.toml`, "utf8");
  expect(config).toContain('[build]\ncommand = "node packages/tooling/src/refuse-development-deploy.mjs"');
  expect(config).toContain('[env.production.build]\ncommand = ""');
});
