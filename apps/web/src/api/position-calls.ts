/** Calls for position reporting, which runs outside of components. */
import { trpcClient } from "./client.ts";
import type { RouterInputs } from "./trpc.ts";

type Inputs = RouterInputs["positions"];
const { positions } = trpcClient;

export const fetchOwnPosition = (input: Inputs["mine"]) => positions.mine.query(input);
export const fetchPlaces = (input: Inputs["places"]) => positions.places.query(input);
export const reportPosition = (input: Inputs["report"]) => positions.report.mutate(input);
export const forgetPlaces = (input: Inputs["forgetPlaces"]) => positions.forgetPlaces.mutate(input);
