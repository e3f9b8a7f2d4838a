import { readFileSync, writeFileSync } from "node:fs";
import { ROOT } from "@lambda/testing/site";
import { SCHEMA_TYPES_FILE, schemaTypes } from "./schema-types.ts";

/** `npm run schema-types`: writes the row types of schema.sql. */
writeFileSync(`${ROOT}${SCHEMA_TYPES_FILE}`, schemaTypes(readFileSync(`${ROOT}schema.sql`, "utf8")));
