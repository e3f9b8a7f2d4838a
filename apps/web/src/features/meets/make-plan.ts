/** From what was written to what the server may keep. Nothing that can be read leaves this file. */
import { MEET_GRACE_MS, MEET_PLAN_BYTES } from "@lambda/contract/limits";
import type { CreateMeetRequest } from "@lambda/contract/meets";
import type { PlanText } from "./plan-text.ts";
import { hashToken, makeLink, makeToken, type PlanLink, pinToken, readerToken, seal } from "./sealing.ts";

export interface Pins {
  readonly fine: string;
  readonly help: string;
}

export interface MadePlan {
  readonly link: PlanLink;
  readonly owner: string;
  readonly request: CreateMeetRequest;
}

export async function makePlan(text: PlanText, pins: Pins, runsMs: number): Promise<MadePlan> {
  const link = makeLink();
  const owner = makeToken();
  const hashed = async (token: Promise<string>) => hashToken(await token);
  return {
    link,
    owner,
    request: {
      id: link.id,
      reader: await hashed(readerToken(link)),
      owner: await hashToken(owner),
      fine: await hashed(pinToken(link, pins.fine)),
      help: await hashed(pinToken(link, pins.help)),
      runsMs,
      graceMs: MEET_GRACE_MS,
      plan: await seal(link, "plan", text, MEET_PLAN_BYTES),
    },
  };
}
