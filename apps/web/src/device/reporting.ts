import { createStore } from "zustand/vanilla";

/** Position reporting stops while the register page is open and after a 401. */
const paused = createStore(() => false);

export const pauseReporting = (): void => paused.setState(true);
export const resumeReporting = (): void => paused.setState(false);
export const isReportingPaused = paused.getState;
export const subscribeReporting = (listener: () => void): (() => void) => paused.subscribe(listener);
