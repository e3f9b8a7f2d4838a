/** Chat calls for use outside of components. Components use the hooks of trpc.ts. */
import { trpcClient } from "./client.ts";
import type { RouterInputs } from "./trpc.ts";

type Inputs = RouterInputs["messages"];
const { messages } = trpcClient;

export const fetchConversations = (input: Inputs["conversations"]) => messages.conversations.query(input);
export const fetchHistory = (input: Inputs["history"]) => messages.history.query(input);
export const fetchMissed = (input: Inputs["missed"]) => messages.missed.query(input);
export const fetchArea = (input: Inputs["area"]) => messages.area.query(input);
export const searchMessages = (input: Inputs["search"]) => messages.search.query(input);
export const markDelivered = (input: Inputs["delivered"]) => messages.delivered.mutate(input);
