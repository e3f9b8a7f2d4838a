import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, httpLink } from "@trpc/client";
import { globalErrorLink, httpLinkOptions } from "./client.ts";
import type { RouterInputs } from "./trpc.ts";

/** Unbatched, so that sending a message never waits for other calls or their responses. */
const unbatched = createTRPCClient<AppRouter>({ links: [globalErrorLink, httpLink(httpLinkOptions("message"))] });

export const sendMessage = (draft: RouterInputs["messages"]["send"]) => unbatched.messages.send.mutate(draft);
