import { VersionInfo } from "@lambda/contract/meta";
import { EmptyObject } from "@lambda/contract/primitives";
import { openProcedure, router } from "../trpc.ts";

/** The version of a worker that was deployed from a tarball or without `npm run deploy`. */
const UNKNOWN = "unknown";

export const metaRouter = router({
  ping: openProcedure("GET /ping", "Is the service there?", { worksUnopened: true })
    .output(EmptyObject)
    .query(() => ({})),

  version: openProcedure("GET /version", "The running build", { worksUnopened: true })
    .output(VersionInfo)
    .query(({ ctx }) => ({
      gitCommitHash: ctx.env.GIT_COMMIT_HASH ?? UNKNOWN,
      gitCommitTs: ctx.env.GIT_COMMIT_TS ?? UNKNOWN,
    })),
});
