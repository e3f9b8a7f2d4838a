/** Turns the texts of a plan into the request that the server stores. Only ciphertext and hashes leave this file. */
import { MEET_GRACE_MS, MEET_PLAN_BYTES } from "@lambda/contract/limits";
import type { CreateMeetRequest } from "@lambda/contract/meets";
import type { PlanText } from "./plan-text.ts";
import { hashPlanToken, makeLink, makeToken, type PlanLink, pinToken, readerToken, seal } from "./sealing.ts";

export interface Pins {
  readonly fine: string;
  readonly help: string;
}

export interface NewPlan {
  readonly link: PlanLink;
  readonly owner: string;
  readonly request: CreateMeetRequest;
}

export async function makePlan(text: PlanText, pins: Pins, runsMs: number): Promise<NewPlan> {
  const link = makeLink();
  const owner = makeToken();
  const hash = async (token: Promise<string>) => hashPlanToken(await token);
  return {
    link,
    owner,
    request: {
      id: link.id,
      reader: await hash(readerToken(link)),
      owner: await hashPlanToken(owner),
      fine: await hash(pinToken(link, pins.fine)),
      help: await hash(pinToken(link, pins.help)),
      runsMs,
      graceMs: MEET_GRACE_MS,
      plan: await seal(link, "plan", text, MEET_PLAN_BYTES),
    },
  };
}
