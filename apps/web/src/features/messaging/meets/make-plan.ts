/** Turns the texts of a plan into the request that the server stores. Only ciphertext and hashes leave this file. */
import { MEET_GRACE_MS, MEET_PLAN_BYTES } from "@lambda/contract/limits";
import type { CreateMeetRequest, MeetAnswerRequest } from "@lambda/contract/meets";
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
  /** Ends the plan if it was created without this device learning of it. */
  readonly withdrawal: MeetAnswerRequest;
}

export async function makePlan(text: PlanText, pins: Pins, runsMs: number): Promise<NewPlan> {
  const owner = makeToken();
  const link = await makeLink(owner);
  const [reader, fine, help] = [
    await readerToken(link),
    await pinToken(link, pins.fine),
    await pinToken(link, pins.help),
  ];
  return {
    link,
    owner,
    request: {
      id: link.id,
      reader: await hashPlanToken(reader),
      owner,
      fine: await hashPlanToken(fine),
      help: await hashPlanToken(help),
      runsMs,
      graceMs: MEET_GRACE_MS,
      plan: await seal(link, "plan", text, MEET_PLAN_BYTES),
    },
    withdrawal: { id: link.id, reader, owner, pin: fine, act: { type: "fine" } },
  };
}
