/**
 * The operator's own age provider over OpenID Connect: code flow with PKCE, a nonce, and an id_token whose signature
 * and claim are checked. Off unless AGE_OIDC is set, because the provider learns who visits; the privacy page names it
 * then.
 */
import { type AgeProvider, parseAgeProvider } from "@lambda/contract/age-provider";
import type { Context } from "../../../platform/context.ts";
import type { Env } from "../../../platform/env.ts";
import { AppError } from "../../../platform/errors.ts";
import { siteLink } from "../../../platform/mail/send-mail.ts";
import { hashToken } from "../../sessions/tokens.ts";
import type { Method, VerificationResult } from "./method.ts";

/** The page that a provider redirects back to. */
const RETURN_PATH = "/age";

type Library = typeof import("oauth4webapi");

function requireProvider(env: Env): AgeProvider {
  const provider = parseAgeProvider(env.AGE_OIDC);
  if (!provider) throw new AppError("NOT_FOUND");
  return provider;
}

/** Plain HTTP is allowed only in development, for a provider that a test runs on this machine. */
function options(oauth: Library) {
  return { [oauth.allowInsecureRequests]: __DEVELOPMENT__, signal: () => AbortSignal.timeout(8000) };
}

async function discover(oauth: Library, provider: AgeProvider) {
  const issuer = new URL(provider.issuer);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options(oauth)));
}

export const oidcMethod: Method = {
  method: "oidc",
  provider: (env) => parseAgeProvider(env.AGE_OIDC)?.name ?? null,
  isOffered: (env) => parseAgeProvider(env.AGE_OIDC) !== undefined,

  begin: async (ctx, { state, nonce }) => {
    const oauth = await import("oauth4webapi");
    const provider = requireProvider(ctx.env);
    const server = await discover(oauth, provider).catch(() => undefined);
    if (!server?.authorization_endpoint) throw new AppError("AGE_PROOF_REFUSED", { reason: "provider-failed" });
    const verifier = oauth.generateRandomCodeVerifier();
    const authorizeUrl = new URL(server.authorization_endpoint);
    const query = {
      client_id: provider.clientId,
      response_type: "code",
      redirect_uri: siteLink(ctx, RETURN_PATH),
      scope: provider.scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(query)) authorizeUrl.searchParams.set(name, value);
    return { digitalCredential: null, link: authorizeUrl.href, verifier };
  },

  verify: async (ctx, response, { state, nonce, channel, verifier }) => {
    if (channel !== "browser" || !verifier) return { outcome: "malformed" };
    const provider = requireProvider(ctx.env);
    try {
      const claims = await fetchClaims(ctx, provider, { response, state, nonce, verifier });
      if (claims?.[provider.claim] !== provider.value) return { outcome: claims ? "not-over-18" : "declined" };
      // Identifies the provider's account, which can prove the age of one account here.
      const subject = JSON.stringify(["oidc", provider.issuer, claims.sub]);
      return { outcome: "proved", attestationHash: await hashToken(subject) };
    } catch (error) {
      return { outcome: await outcomeOfError(error) };
    }
  },
};

/** Returns the verified claims of the id_token; undefined if the user declined at the provider. */
async function fetchClaims(
  ctx: Context,
  provider: AgeProvider,
  request: { response: string; state: string; nonce: string; verifier: string },
) {
  const oauth = await import("oauth4webapi");
  const { AGE_OIDC_SECRET: secret } = ctx.env;
  const query = new URLSearchParams(request.response);
  if (query.has("error")) return undefined;
  const server = await discover(oauth, provider);
  const client = { client_id: provider.clientId };
  const parameters = oauth.validateAuthResponse(server, client, query, request.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    secret ? oauth.ClientSecretBasic(secret) : oauth.None(),
    parameters,
    siteLink(ctx, RETURN_PATH),
    request.verifier,
    options(oauth),
  );
  const expected = { expectedNonce: request.nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
  await oauth.validateApplicationLevelSignature(server, response, options(oauth));
  return oauth.getValidatedIdTokenClaims(tokens);
}

async function outcomeOfError(error: unknown): Promise<Exclude<VerificationResult["outcome"], "proved">> {
  const { OperationProcessingError, ResponseBodyError } = await import("oauth4webapi");
  if (error instanceof ResponseBodyError) return "declined";
  return error instanceof OperationProcessingError ? "tampered" : "provider-failed";
}
