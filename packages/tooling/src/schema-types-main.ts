import { readFileSync, writeFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";
import { generateSchemaTypes, SCHEMA_TYPES_FILE } from "./schema-types.ts";

/** `npm run schema-types`: generates the row types of schema.sql. */
writeFileSync(`${ROOT}${SCHEMA_TYPES_FILE}`, generateSchemaTypes(readFileSync(`${ROOT}schema.sql`, "utf8")));
