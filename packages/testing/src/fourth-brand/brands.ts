/** Replaces @lambda/brands in a worker with a fourth brand. */
import "./brand.ts";

export * from "../../../brands/src/index.ts";
