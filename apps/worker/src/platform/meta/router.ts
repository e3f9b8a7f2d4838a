import { VersionInfo } from "@lambda/contract/meta";
import { Nothing } from "@lambda/contract/primitives";
import { openProcedure, router } from "../trpc.ts";

/** Of a worker that was deployed without its commit: from a tarball, or past `npm run deploy`. */
const UNKNOWN = "unknown";

export const metaRouter = router({
  ping: openProcedure
    .meta({ rest: { method: "GET", path: "/ping", summary: "Is the service there?" } })
    .output(Nothing)
    .query(() => ({})),

  version: openProcedure
    .meta({ rest: { method: "GET", path: "/version", summary: "The running build" } })
    .output(VersionInfo)
    .query(({ ctx }) => ({
      gitCommitHash: ctx.env.GIT_COMMIT_HASH ?? UNKNOWN,
      gitCommitTs: ctx.env.GIT_COMMIT_TS ?? UNKNOWN,
    })),
});
