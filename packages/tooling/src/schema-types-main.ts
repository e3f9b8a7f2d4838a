import { writeSchemaTypes } from "./schema-types.ts";

/** `npm run schema-types`: generates the row types of schema.sql. */
writeSchemaTypes();
