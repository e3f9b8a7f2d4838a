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
    expect(guard(command)).toMatchObject({ signal: "SIGTERM", stderr: expect.stringContaining("npm run deploy") });
  }
});

it("is said by the real wrangler in a line, without a dump of its process", () => {
  const wrangler = [`${ROOT}node_modules/.bin/wrangler`, "deploy", "--dry-run"];
  const { status, stdout, stderr } = spawnSync(process.execPath, wrangler, {
    cwd: ROOT,
    encoding: "utf8",
    // `npm test` silences wrangler elsewhere.
    env: { ...process.env, WRANGLER_LOG: "log" },
  });
  expect(stdout).toContain("This would be the development build. Deploy with: npm run deploy");
  expect(stdout + stderr).not.toMatch(/ChildProcess|Socket|\[Object\]/);
  expect(status).toBe(1);
});

it("guards every build except production", () => {
  const config = readFileSync(`${ROOT}wrangler.toml`, "utf8");
  expect(config).toContain('[build]\ncommand = "exec node packages/tooling/src/refuse-development-deploy.mjs"');
  expect(config).toContain('[env.production.build]\ncommand = ""');
});
