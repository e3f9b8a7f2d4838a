import { HOUR_MS } from "@lambda/contract/limits";
import { useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import { OWN_PLAN, type OwnPlan } from "../../device/device-keys.ts";
import { writeDeviceValue } from "../../device/device-storage.ts";
import { requestGpsPosition } from "../position/gps.ts";
import { makePlan, type Pins } from "./make-plan.ts";
import type { FriendLocale, PlanText } from "./plan-text.ts";

type Address = Pick<OwnPlan, "origin" | "isNeutral">;

/** The form's values. They are discarded when it closes. */
export interface PlanDraft extends Omit<PlanText, "point">, Pins {
  readonly addsPoint: boolean;
  readonly runsMs: number;
  readonly locale: FriendLocale;
  readonly sendsPosition: boolean;
}

const TWO_HOURS_MS = 2 * HOUR_MS;

export const EMPTY_PLAN: PlanDraft = {
  me: "",
  who: "",
  where: "",
  country: "",
  note: "",
  fine: "",
  help: "",
  addsPoint: false,
  runsMs: TWO_HOURS_MS,
  locale: "en",
  sendsPosition: false,
};

/** Creates a plan on the server and stores on this device how to access it. */
export function useNewPlan(account: number, address: Address, words: { noPosition: string }) {
  const create = trpc.meets.create.useMutation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const make = async (draft: PlanDraft) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { me, who, where, country, note } = draft;
      const trimmed = [me, who, where, note].map((text) => text.toWellFormed().trim());
      const [myName = "", otherName = "", place = "", trimmedNote = ""] = trimmed;
      const point = draft.addsPoint ? await requestGpsPosition().catch(() => null) : undefined;
      if (point === null) return setProblem(words.noPosition);
      const text: PlanText = { me: myName, who: otherName, where: place, country, note: trimmedNote, point };
      const { link, owner, request } = await makePlan(text, draft, draft.runsMs);
      const status = await create.mutateAsync(request);
      const { locale, sendsPosition } = draft;
      writeDeviceValue(OWN_PLAN, { ...link, ...address, account, owner, locale, sendsPosition, status });
    } catch (failure) {
      setProblem(errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  return { make, busy, problem };
}
