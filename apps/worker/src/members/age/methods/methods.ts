import type { AgeMethod } from "@lambda/contract/age";
import { EU_AV, MDL, mdocMethod } from "./mdoc.ts";
import type { Method } from "./method.ts";
import { oidcMethod } from "./oidc.ts";

/** The preferred method first. */
export const METHODS: readonly Method[] = [mdocMethod(EU_AV), mdocMethod(MDL), oidcMethod];

export function getMethod(name: AgeMethod): Method {
  const found = METHODS.find(({ method }) => method === name);
  if (!found) throw new Error(`no method ${name}`);
  return found;
}
