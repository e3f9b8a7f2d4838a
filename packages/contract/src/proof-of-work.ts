import { z } from "zod";
import { NOTICE_WORK_ANSWERS } from "./limits.ts";

/** The solution of a challenge; each can be used once. */
export const ProofOfWork = z.object({
  challenge: z.string().max(300),
  answers: z.array(z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)).length(NOTICE_WORK_ANSWERS),
});
