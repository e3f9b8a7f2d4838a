import { Problem } from "@lambda/ui/banner";
import { OWN_PLAN } from "../../device/device-keys.ts";
import { readDeviceValue } from "../../device/device-storage.ts";
import { serverNow } from "../../device/server-clock.ts";
import { useLogoutCopy } from "./logout-copy.ts";

/** Whether this device made a plan with a friend that still runs, and forgets with a logout how to answer it. */
export function hasRunningPlan(): boolean {
  const plan = readDeviceValue(OWN_PLAN);
  return plan !== null && serverNow() < plan.status.latest;
}

/** Says what a logout would do to a plan that runs; nothing without one. */
export function PlanWarning() {
  const { planRuns } = useLogoutCopy();
  return hasRunningPlan() ? <Problem tone="warn" text={planRuns} /> : null;
}
