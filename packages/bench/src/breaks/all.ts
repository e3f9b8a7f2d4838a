import { ACCOUNTS } from "./accounts.ts";
import type { Break } from "./break.ts";
import { CONTENT } from "./content.ts";
import { DEVICES } from "./devices.ts";
import { STAFF } from "./staff.ts";
import { WATCHING } from "./watching.ts";

export const BREAKS: readonly Break[] = [...WATCHING, ...CONTENT, ...ACCOUNTS, ...STAFF, ...DEVICES];
