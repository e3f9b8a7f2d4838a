import { PASSKEY_CHALLENGE_TTL_MS } from "@lambda/contract/limits";
import { PASSKEY_TRANSPORTS, type PasskeyCreation, type PasskeyRequest } from "@lambda/contract/passkeys";
import type { MemberContext } from "../../platform/access.ts";
import type { Context } from "../../platform/context.ts";
import { requireFresh } from "../../platform/fresh.ts";
import { handleOf } from "../passkey-handles.ts";
import { deviceLabel } from "../sessions/device-label.ts";
import { createChallenge, type Purpose, relyingParty } from "./challenge.ts";
import { listPasskeysOfSite } from "./queries.ts";
import { ALGORITHMS } from "./verify.ts";

const REQUEST = { timeout: PASSKEY_CHALLENGE_TTL_MS, userVerification: "required" } as const;

export function loginPurpose(ctx: Pick<Context, "brand" | "request">): Purpose {
  return { kind: "login", site: relyingParty(ctx), sessionId: undefined };
}

export function sessionPurpose(ctx: MemberContext, kind: "add" | "proof"): Purpose {
  return { kind, site: relyingParty(ctx), sessionId: ctx.viewer.sessionId };
}

/** The same for everybody: it names no passkey, so it cannot reveal who has one. */
export function loginRequest(ctx: Context): PasskeyRequest {
  const purpose = loginPurpose(ctx);
  return { challenge: createChallenge(ctx, purpose), rpId: purpose.site.rpId, ...REQUEST };
}

/** Options for a proof with one of the member's own passkeys. */
export async function proofRequest(ctx: MemberContext): Promise<PasskeyRequest> {
  const purpose = sessionPurpose(ctx, "proof");
  const { rpId } = purpose.site;
  const own = await listPasskeysOfSite(ctx.db, ctx.viewer.profileId, rpId);
  const allowCredentials = own.filter(({ ts_cloned }) => ts_cloned === null).map(toDescriptor);
  return { challenge: createChallenge(ctx, purpose), rpId, ...REQUEST, allowCredentials };
}

/** Throws CONFIRMATION_NEEDED unless the session is fresh. */
export async function creationOptions(ctx: MemberContext): Promise<PasskeyCreation> {
  requireFresh(ctx.viewer, ctx.now);
  const owner = await ctx.db
    .selectFrom("account")
    .select(["id", "email", "passkey_handle"])
    .where("id", "=", ctx.viewer.profileId)
    .executeTakeFirstOrThrow();
  const purpose = sessionPurpose(ctx, "add");
  const { rpId } = purpose.site;
  const own = await listPasskeysOfSite(ctx.db, ctx.viewer.profileId, rpId);
  return {
    proposedName: deviceLabel(ctx.request.headers.get("user-agent") ?? ""),
    options: {
      challenge: createChallenge(ctx, purpose),
      rp: { id: rpId, name: ctx.brand.name },
      user: { id: handleOf(ctx.env, owner), name: owner.email, displayName: owner.email },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
      timeout: PASSKEY_CHALLENGE_TTL_MS,
      // A device that already has one is not asked to make another.
      excludeCredentials: own.map(toDescriptor),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
    },
  };
}

/** The transports that the contract knows, in its order. */
export function knownTransports(named: readonly string[]) {
  return PASSKEY_TRANSPORTS.filter((transport) => named.includes(transport));
}

function toDescriptor(row: { credential_id: string; transports: string }) {
  const transports = knownTransports(row.transports.split(","));
  return { id: row.credential_id, type: "public-key" as const, transports };
}
