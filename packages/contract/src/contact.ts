import { z } from "zod";
import { REAL_NAME_MAX_CHARS, TEXT_MAX_CHARS } from "./limits.ts";
import { Id, Time } from "./primitives.ts";

/** POST /api/contactus-messages. */
export const ContactDraft = z.object({
  name: z.string().trim().min(1, { message: "is required" }).max(REAL_NAME_MAX_CHARS),
  message: z.string().trim().max(TEXT_MAX_CHARS).default(""),
});

/** POST /api/problem-reports: something on the site does not work. */
export const ProblemDraft = z.object({
  message: z.string().trim().min(1, { message: "is required" }).max(TEXT_MAX_CHARS),
  /** Path of the page where it happened, without its query: no ids of other members. */
  page: z
    .string()
    .max(200)
    .regex(/^\/[\w/-]*$/, { message: "must be a path" })
    .optional(),
});

export const ContactMessage = z.object({ id: Id, name: z.string(), message: z.string(), tsCreated: Time });
