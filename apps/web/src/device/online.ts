import { create } from "zustand";

/**
 * Whether there is a network: the browser says so, which is wrong behind some VPNs and stays so, or a call got an answer since it said
 * otherwise. TanStack Query's online manager only repeats what the browser says.
 */
export const useOnline = create(() => globalThis.navigator?.onLine);
export const isOnline = useOnline.getState;

/** Every call of ours reports whether the server answered. */
export const noteAnswer = (came: boolean): void => useOnline.setState(globalThis.navigator?.onLine || came);

// There is no window in unit tests.
for (const type of ["online", "offline"]) globalThis.window?.addEventListener(type, () => noteAnswer(false));
