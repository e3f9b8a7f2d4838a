import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, httpLink } from "@trpc/client";
import { WIRE, watchAnswers } from "./client.ts";

/** For what waits neither for others to join its batch nor for their answers: a message on its way. */
export const singleClient = createTRPCClient<AppRouter>({ links: [watchAnswers, httpLink(WIRE)] });
