import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, httpLink } from "@trpc/client";
import { globalErrorLink, HTTP_LINK_OPTIONS } from "./client.ts";
import type { RouterInputs } from "./trpc.ts";

/** Unbatched, so that sending a message never waits for other calls or their responses. */
const unbatched = createTRPCClient<AppRouter>({ links: [globalErrorLink, httpLink(HTTP_LINK_OPTIONS)] });

export const sendMessage = (draft: RouterInputs["messages"]["send"]) => unbatched.messages.send.mutate(draft);
