import { DAY_MS, PASSKEYS_ADDED_PER_DAY_MAX } from "@lambda/contract/limits";
import {
  NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyLogin,
  PasskeyName,
  PasskeyRequest,
} from "@lambda/contract/passkeys";
import { Id, Nothing } from "@lambda/contract/primitives";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { limit } from "../../platform/rate-limits/limit.ts";
import { router, sessionProcedure, visitorProcedure } from "../../platform/trpc.ts";
import { requireFresh } from "../sessions/fresh.ts";
import type { TellMember } from "./accept.ts";
import { addPasskey } from "./add.ts";
import { logInByPasskey } from "./login.ts";
import { creationOptions, loginRequest } from "./options.ts";
import { deletePasskey, getAddress, listPasskeys, toPasskey, updatePasskeyName } from "./queries.ts";
import { relyingParty } from "./relying-party.ts";

/** `tell` lies on a higher floor. */
export const createPasskeysRouter = (tell: TellMember) =>
  router({
    loginRequest: visitorProcedure
      .meta({ rest: { method: "GET", path: "/auth/passkey", summary: "What a browser needs to log in by a passkey" } })
      .output(PasskeyRequest)
      .query(({ ctx }) => loginRequest(ctx)),

    logIn: visitorProcedure
      .meta({ rest: { method: "POST", path: "/auth/passkey", status: 200, summary: "Log in by a passkey" } })
      .input(PasskeyLogin)
      .output(Nothing)
      .mutation(async ({ ctx, input }) => {
        await logInByPasskey(ctx, input, tell);
        return {};
      }),

    list: sessionProcedure
      .meta({ rest: { method: "GET", path: "/passkeys", summary: "The member's passkeys, on all sites", list: true } })
      .output(z.object({ items: z.array(Passkey) }))
      .query(async ({ ctx }) => {
        const { rpId } = relyingParty(ctx);
        return { items: (await listPasskeys(ctx.db, ctx.viewer.profileId)).map((row) => toPasskey(row, rpId)) };
      }),

    creation: sessionProcedure
      .meta({
        rest: { method: "POST", path: "/passkey/options", status: 200, summary: "What a browser needs to make one" },
      })
      .output(PasskeyCreation)
      .mutation(async ({ ctx }) => {
        requireFresh(ctx.viewer, ctx.now);
        const { email } = await getAddress(ctx.db, ctx.viewer.profileId);
        return creationOptions(ctx, email);
      }),

    add: sessionProcedure
      .meta({ rest: { method: "POST", path: "/passkey", summary: "Log in by this passkey from now on" } })
      .input(NewPasskey)
      .output(Passkey)
      .mutation(async ({ ctx, input }) => {
        requireFresh(ctx.viewer, ctx.now);
        await limit(ctx.env, `passkeys:${ctx.viewer.profileId}`, PASSKEYS_ADDED_PER_DAY_MAX, DAY_MS);
        return addPasskey(ctx, input);
      }),

    rename: sessionProcedure
      .meta({ rest: { method: "PUT", path: "/passkey/{id}", summary: "Give a passkey another name" } })
      .input(z.object({ id: Id, name: PasskeyName }))
      .output(Passkey)
      .mutation(async ({ ctx, input }) => {
        const row = await updatePasskeyName(ctx.db, ctx.viewer.profileId, input.id, input.name);
        if (!row) throw new AppError("NOT_FOUND");
        return toPasskey(row, relyingParty(ctx).rpId);
      }),

    /** Nobody is locked out by it: a mail lets every member in. */
    remove: sessionProcedure
      .meta({ rest: { method: "DELETE", path: "/passkey/{id}", summary: "Log in by a passkey no longer" } })
      .input(z.object({ id: Id }))
      .output(Nothing)
      .mutation(async ({ ctx, input }) => {
        requireFresh(ctx.viewer, ctx.now);
        if (!(await deletePasskey(ctx.db, ctx.viewer.profileId, input.id))) throw new AppError("NOT_FOUND");
        return {};
      }),
  });
