import { z } from "zod";

export const VersionInfo = z.object({ gitCommitHash: z.string(), gitCommitTs: z.string() });
