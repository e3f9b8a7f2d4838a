import { z } from "zod";
import { AUDIENCES, DOXY_PEP, HIV_STATUSES, PREP_REGIMENS, VACCINES } from "./health-fields.ts";
import { Day, Id, Time } from "./primitives.ts";

export const Audience = z.enum(AUDIENCES);
export type Audience = z.infer<typeof Audience>;

const Audiences = z.object({
  hivStatus: Audience,
  prep: Audience,
  doxyPep: Audience,
  vaccines: Audience,
  lastTest: Audience,
});

const fields = {
  hivStatus: z.enum(HIV_STATUSES).nullable(),
  prep: z.enum(PREP_REGIMENS).nullable(),
  doxyPep: z.enum(DOXY_PEP).nullable(),
  vaccines: z.array(z.enum(VACCINES)),
  lastTest: Day.nullable(),
  reminderMonths: z.union([z.literal(0), z.literal(3), z.literal(6), z.literal(12)]),
};

/** The member's own panel. Every audience defaults to "nobody". */
export const HealthPanel = z.object({ profileId: Id, ...fields, audiences: Audiences, tsReminder: Time.nullable() });
export type HealthPanel = z.infer<typeof HealthPanel>;

/** PUT /api/health-panel. Absent fields and audiences remain unchanged. */
export const HealthPanelUpdate = z.object({
  ...z.object(fields).partial().shape,
  vaccines: fields.vaccines
    .refine((list) => new Set(list).size === list.length, { message: "the same vaccine twice" })
    .optional(),
  audiences: Audiences.partial().optional(),
});
export type HealthPanelUpdate = z.infer<typeof HealthPanelUpdate>;

/** The part of a panel that a viewer may read. Fields that are hidden from the viewer or empty are absent. */
export const SharedHealth = z.object({
  hivStatus: z.enum(HIV_STATUSES).optional(),
  prep: z.enum(PREP_REGIMENS).optional(),
  doxyPep: z.enum(DOXY_PEP).optional(),
  vaccines: z.array(z.enum(VACCINES)).optional(),
  /** yyyy-mm; the day of the test stays private. */
  lastTestMonth: z.string().optional(),
});
export type SharedHealth = z.infer<typeof SharedHealth>;
