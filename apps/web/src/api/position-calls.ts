/** Calls of position reporting, which is no component, typed by the router. */
import type { AppRouter } from "@lambda/worker/router";
import type { inferRouterInputs } from "@trpc/server";
import { trpcClient } from "./client.ts";

type Inputs = inferRouterInputs<AppRouter>["positions"];
const { positions } = trpcClient;

export const fetchOwnPosition = (input: Inputs["mine"]) => positions.mine.query(input);
export const fetchPlaces = (input: Inputs["places"]) => positions.places.query(input);
export const reportPosition = (input: Inputs["report"]) => positions.report.mutate(input);
export const forgetPlaces = (input: Inputs["forgetPlaces"]) => positions.forgetPlaces.mutate(input);
