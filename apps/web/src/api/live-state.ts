/** Whether the live socket is connected. While it is, the server pushes updates and polling can slow down. */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

const isLive = createStore(() => false);

export const setIsLive = (value: boolean): void => isLive.setState(value);
export const useIsLive = (): boolean => useStore(isLive);
