import { z } from "zod";
import { REAL_NAME_MAX_CHARS } from "./limits.ts";
import { Id, SingleLine, Time, TrimmedText } from "./primitives.ts";

/** POST /api/contactus-messages. */
export const ContactDraft = z.object({
  name: SingleLine.min(1).max(REAL_NAME_MAX_CHARS),
  message: TrimmedText.default(""),
});

/** POST /api/problem-reports: a bug report. */
export const ProblemDraft = z.object({
  message: TrimmedText.min(1),
  /** Path of the page where it happened, without the query string, so that it contains no ids of other members. */
  page: z
    .string()
    .max(200)
    .regex(/^\/[\w/-]*$/, { message: "must be a path" })
    .optional(),
});

export const ContactMessage = z.object({ id: Id, name: z.string(), message: z.string(), tsCreated: Time });
