import { DAY_MS, PASSKEYS_ADDED_PER_DAY_MAX } from "@lambda/contract/limits";
import {
  NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyLogin,
  PasskeyName,
  PasskeyRequest,
} from "@lambda/contract/passkeys";
import { EmptyObject, Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { enforceLimit } from "../../platform/rate-limits/limit.ts";
import { router, sessionProcedure, visitorProcedure } from "../../platform/trpc.ts";
import { requireFresh } from "../sessions/fresh.ts";
import { addPasskey } from "./add.ts";
import type { NotifyMember } from "./authenticate.ts";
import { logInWithPasskey } from "./login.ts";
import { creationOptions, loginRequest } from "./options.ts";
import { deletePasskey, getMailRecipient, listPasskeys, toPasskey, updatePasskeyName } from "./queries.ts";
import { relyingParty } from "./relying-party.ts";

/** `notify` is passed in, because notifications belong to a higher layer. */
export const createPasskeysRouter = (notify: NotifyMember) =>
  router({
    loginRequest: visitorProcedure
      .meta({
        rest: { method: "GET", path: "/auth/passkey", summary: "What a browser needs to log in with a passkey" },
      })
      .output(PasskeyRequest)
      .query(({ ctx }) => loginRequest(ctx)),

    logIn: visitorProcedure
      .meta({ rest: { method: "POST", path: "/auth/passkey", status: 200, summary: "Log in with a passkey" } })
      .input(PasskeyLogin)
      .output(EmptyObject)
      .mutation(async ({ ctx, input }) => {
        await logInWithPasskey(ctx, input, notify);
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
        rest: {
          method: "POST",
          path: "/passkey/options",
          status: 200,
          summary: "What a browser needs to create a passkey",
        },
      })
      .output(PasskeyCreation)
      .mutation(async ({ ctx }) => {
        requireFresh(ctx.viewer, ctx.now);
        const { email } = await getMailRecipient(ctx.db, ctx.viewer.profileId);
        return creationOptions(ctx, email);
      }),

    add: sessionProcedure
      .meta({ rest: { method: "POST", path: "/passkey", summary: "Add a passkey" } })
      .input(NewPasskey)
      .output(Passkey)
      .mutation(async ({ ctx, input }) => {
        requireFresh(ctx.viewer, ctx.now);
        await enforceLimit(ctx.env, `passkeys:${ctx.viewer.profileId}`, PASSKEYS_ADDED_PER_DAY_MAX, DAY_MS);
        return addPasskey(ctx, input);
      }),

    rename: sessionProcedure
      .meta({ rest: { method: "PUT", path: "/passkey/{id}", summary: "Rename a passkey" } })
      .input(z.object({ id: Id, name: PasskeyName }))
      .output(Passkey)
      .mutation(async ({ ctx, input }) => {
        const row = await updatePasskeyName(ctx.db, ctx.viewer.profileId, input.id, input.name);
        if (!row) throw new AppError("NOT_FOUND");
        return toPasskey(row, relyingParty(ctx).rpId);
      }),

    /** Locks nobody out, because a mail lets every member in. */
    remove: sessionProcedure
      .meta({ rest: { method: "DELETE", path: "/passkey/{id}", summary: "Remove a passkey" } })
      .input(z.object({ id: Id }))
      .output(EmptyObject)
      .mutation(async ({ ctx, input }) => {
        requireFresh(ctx.viewer, ctx.now);
        if (!(await deletePasskey(ctx.db, ctx.viewer.profileId, input.id))) throw new AppError("NOT_FOUND");
        return {};
      }),
  });
