/**
 * The endpoint to which a wallet posts its response. A wallet has no session and no origin: the named request says
 * whose proof it is.
 */
import { AGE_RESPONSE_MAX_CHARS, AGE_STATE_MAX_CHARS } from "@lambda/contract/age";
import { Hono } from "hono";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { errorResponse } from "../../platform/http/error-response.ts";
import { submitProof } from "./requests.ts";

/** The only path that accepts a state change from another origin. */
export const WALLET_PATH = /^\/api\/age\/answer\/[A-Za-z0-9_-]+$/;

export const ageRoutes = new Hono<{ Variables: { ctx: Context } }>();

ageRoutes.post("/age/answer/:state", async (c) => {
  const ctx = c.get("ctx");
  const state = c.req.param("state");
  if (state.length > AGE_STATE_MAX_CHARS) throw new AppError("NOT_FOUND");
  const outcome = await submitProof({ ...ctx, viewer: null }, state, "direct_post", await readToken(c.req.raw));
  if (outcome !== "proved") throw new AppError("AGE_PROOF_REFUSED", { reason: outcome });
  return c.json({});
});

ageRoutes.onError((error, c) => errorResponse(c.get("ctx"), error));

/** Reads the vp_token of the form; anything that is not one is rejected later as malformed. */
async function readToken(request: Request): Promise<string> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) throw new AppError("WRONG_TYPE");
  const token = new URLSearchParams(await request.text()).get("vp_token") ?? "";
  if (token.length > AGE_RESPONSE_MAX_CHARS) throw new AppError("TOO_LARGE");
  return token;
}
