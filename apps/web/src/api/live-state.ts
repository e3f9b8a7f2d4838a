import { create } from "zustand";

/** Whether the live socket is connected. While it is, the server pushes updates and polling can slow down. */
export const useIsLive = create(() => false);
