import { execFileSync } from "node:child_process";
import type { Plugin } from "vite";

/** The commit being built. GIT_COMMIT_HASH and GIT_COMMIT_TS replace git where there is no repository. */
function readCommit(): { gitCommitHash: string; gitCommitTs: string } {
  const { GIT_COMMIT_HASH, GIT_COMMIT_TS } = process.env;
  if (GIT_COMMIT_HASH)
    return { gitCommitHash: GIT_COMMIT_HASH, gitCommitTs: GIT_COMMIT_TS ?? new Date().toISOString() };
  try {
    const line = execFileSync("git", ["log", "-1", "--format=%H %ct"], {
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
    const [gitCommitHash = "", seconds] = line.trim().split(" ");
    return { gitCommitHash, gitCommitTs: new Date(Number(seconds) * 1000).toISOString() };
  } catch {
    return { gitCommitHash: "unknown", gitCommitTs: new Date().toISOString() };
  }
}

/** Writes /version_frontend.json, which names the commit of this build. */
export function versionPlugin(): Plugin {
  const source = () => JSON.stringify(readCommit());
  return {
    name: "lambda:version",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "version_frontend.json", source: source() });
    },
    configureServer(server) {
      server.middlewares.use("/version_frontend.json", (_request, response) => {
        response.setHeader("content-type", "application/json").end(source());
      });
    },
  };
}
