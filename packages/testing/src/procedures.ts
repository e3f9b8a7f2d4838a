/** Lists the procedures of the worker's router with their access levels, REST paths and input schemas. */
import { z } from "zod";

/**
 * The part of a tRPC router that this file reads. Tests pass the worker's router, so that this package does not import
 * it.
 */
export interface Router {
  readonly _def: { readonly procedures: object };
}

export interface Procedure {
  readonly name: string;
  readonly type: "query" | "mutation";
  readonly meta: ProcedureMeta;
  /** The JSON schema of each field of the input. */
  readonly inputs: Readonly<Record<string, JsonSchema>>;
}

export interface ProcedureMeta {
  readonly access?: string;
  readonly rest?: { readonly method: "GET" | "PUT" | "POST" | "DELETE"; readonly path: string };
}

export interface JsonSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Record<string, JsonSchema>;
}

interface Definition {
  readonly type: Procedure["type"];
  readonly meta?: ProcedureMeta;
  readonly inputs: readonly z.ZodType[];
}

export function listProcedures(router: Router): Procedure[] {
  return Object.entries(router._def.procedures as Record<string, { _def: Definition }>).map(([name, { _def }]) => {
    const schemas = _def.inputs.map((input) => z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
    const inputs = Object.assign({}, ...schemas.map((schema) => (schema as JsonSchema).properties));
    return { name, type: _def.type, meta: _def.meta ?? {}, inputs };
  });
}
