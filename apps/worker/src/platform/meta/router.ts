import { z } from "zod";
import { openCommand, openProcedure, router } from "../trpc.ts";

/** The version of a worker that was deployed from a tarball or without `npm run deploy`. */
const UNKNOWN = "unknown";

export const metaRouter = router({
  ping: openCommand("GET /ping", "Is the service there?", { worksUnopened: true }).query(() => ({})),

  version: openProcedure("GET /version", "The running build", { worksUnopened: true })
    .output(z.object({ gitCommitHash: z.string(), gitCommitTs: z.string() }))
    .query(({ ctx }) => ({
      gitCommitHash: ctx.env.GIT_COMMIT_HASH ?? UNKNOWN,
      gitCommitTs: ctx.env.GIT_COMMIT_TS ?? UNKNOWN,
    })),
});
