/** Takes the place of @lambda/brands in a worker that has a fourth brand. */
import "./brand.ts";

export * from "../../../brands/src/index.ts";
