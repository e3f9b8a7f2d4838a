/** Copies the working tree, so that a bench or test may change files. The copy links the same installed packages. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./site.ts";

export interface RepositoryCopy extends Disposable {
  readonly root: string;
}

/**
 * Copies tracked and untracked files, and links each package in node_modules except the workspaces, which must be the
 * copy's own.
 */
export function copyRepository(): RepositoryCopy {
  const root = mkdtempSync(join(tmpdir(), "repository-"));
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of list.split("\0").filter((name) => name !== "" && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(ROOT, path), join(root, path));
  }
  linkPackages(root, "");
  for (const workspace of ["apps", "packages"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  )) {
    linkPackages(root, workspace);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

function linkPackages(root: string, workspace: string): void {
  const from = join(ROOT, workspace, "node_modules");
  if (!existsSync(from)) return;
  const to = join(root, workspace, "node_modules");
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === "@lambda") linkWorkspaces(root, join(to, name));
    else if (name !== ".cache" && name !== ".vite") symlinkSync(join(from, name), join(to, name));
  }
}

function linkWorkspaces(root: string, scope: string): void {
  mkdirSync(scope);
  for (const group of ["apps", "packages"]) {
    for (const name of readdirSync(join(root, group))) symlinkSync(join(root, group, name), join(scope, name));
  }
}
