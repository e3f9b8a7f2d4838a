import { createStore } from "../api/store.ts";

/** Position reporting stops while the register page is open and after a 401. */
const paused = createStore(false);

export const pauseReporting = (): void => paused.set(true);
export const resumeReporting = (): void => paused.set(false);
export const isReportingPaused = paused.get;
/** Calls `listener` whenever reporting is paused or resumed; the reporter subscribes. */
export const subscribeReporting = paused.subscribe;
