import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, httpLink } from "@trpc/client";
import { WIRE, watchAnswers } from "./client.ts";
import type { RouterInputs } from "./trpc.ts";

/** A message on its way neither waits for others to join its batch nor for their answers. */
const unbatched = createTRPCClient<AppRouter>({ links: [watchAnswers, httpLink(WIRE)] });

export const sendMessage = (draft: RouterInputs["messages"]["send"]) => unbatched.messages.send.mutate(draft);
