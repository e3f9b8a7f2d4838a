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
import { type MemberContext, router, sessionProcedure, visitorProcedure } from "../../platform/trpc.ts";
import type { NotifyMember } from "../second-account.ts";
import { requireFresh } from "../sessions/fresh.ts";
import { addPasskey } from "./add.ts";
import { logInWithPasskey } from "./authenticate.ts";
import { creationOptions, loginRequest } from "./options.ts";
import { deletePasskey, listPasskeys, toPasskey, updatePasskeyName } from "./queries.ts";
import { relyingParty } from "./relying-party.ts";

async function readPasskeys(ctx: MemberContext): Promise<Passkey[]> {
  const { rpId } = relyingParty(ctx);
  return (await listPasskeys(ctx.db, ctx.viewer.profileId)).map((row) => toPasskey(row, rpId));
}

async function renamePasskey(ctx: MemberContext, id: number, name: string): Promise<Passkey> {
  const row = await updatePasskeyName(ctx.db, ctx.viewer.profileId, id, name);
  if (!row) throw new AppError("NOT_FOUND");
  return toPasskey(row, relyingParty(ctx).rpId);
}

/** Locks nobody out, because a mail lets every member in. */
async function removePasskey(ctx: MemberContext, id: number): Promise<void> {
  requireFresh(ctx.viewer, ctx.now);
  if (!(await deletePasskey(ctx.db, ctx.viewer.profileId, id))) throw new AppError("NOT_FOUND");
}

/** `notify` is passed in, because notifications belong to a higher layer. */
export const createPasskeysRouter = (notify: NotifyMember) =>
  router({
    loginRequest: visitorProcedure("GET /auth/passkey", "What a browser needs to log in with a passkey", {
      worksUnopened: true,
    })
      .output(PasskeyRequest)
      .query(({ ctx }) => loginRequest(ctx)),

    logIn: visitorProcedure("POST /auth/passkey", "Log in with a passkey", { worksUnopened: true, status: 200 })
      .input(PasskeyLogin)
      .output(EmptyObject)
      .mutation(({ ctx, input }) => logInWithPasskey(ctx, input, notify)),

    list: sessionProcedure("GET /passkeys", "The member's passkeys, on all sites", { list: true })
      .output(z.object({ items: z.array(Passkey) }))
      .query(async ({ ctx }) => ({ items: await readPasskeys(ctx) })),

    creation: sessionProcedure("POST /passkey/options", "What a browser needs to create a passkey", { status: 200 })
      .output(PasskeyCreation)
      .mutation(({ ctx }) => creationOptions(ctx)),

    add: sessionProcedure("POST /passkey", "Add a passkey")
      .input(NewPasskey)
      .output(Passkey)
      .mutation(({ ctx, input }) => addPasskey(ctx, input)),

    rename: sessionProcedure("PUT /passkey/{id}", "Rename a passkey")
      .input(z.object({ id: Id, name: PasskeyName }))
      .output(Passkey)
      .mutation(({ ctx, input }) => renamePasskey(ctx, input.id, input.name)),

    remove: sessionProcedure("DELETE /passkey/{id}", "Remove a passkey")
      .input(z.object({ id: Id }))
      .output(EmptyObject)
      .mutation(({ ctx, input }) => removePasskey(ctx, input.id)),
  });
