import { z } from "zod";
import { REAL_NAME_MAX_CHARS } from "./limits.ts";
import { Id, Line, Time, TrimmedText } from "./primitives.ts";

/** POST /api/contactus-messages. */
export const ContactDraft = z.object({
  name: Line.min(1, { message: "is required" }).max(REAL_NAME_MAX_CHARS),
  message: TrimmedText.default(""),
});

/** POST /api/problem-reports: something on the site does not work. */
export const ProblemDraft = z.object({
  message: TrimmedText.min(1, { message: "is required" }),
  /** Path of the page where it happened, without its query: no ids of other members. */
  page: z
    .string()
    .max(200)
    .regex(/^\/[\w/-]*$/, { message: "must be a path" })
    .optional(),
});

export const ContactMessage = z.object({ id: Id, name: z.string(), message: z.string(), tsCreated: Time });
