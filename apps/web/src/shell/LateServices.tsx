import type { SessionContext } from "@lambda/contract/accounts";
import { useEffect } from "react";
import { watchFilledFields } from "../components/filled-fields.ts";
import { closeShown } from "../features/notifications/close-shown.ts";
import StayWatch from "../features/travel/StayWatch.tsx";
import { keepFocus } from "./keep-focus.ts";

interface LateServicesProps {
  context: SessionContext;
  /** When the server last answered. */
  updatedAt: number;
}

/** Background services that the first screen need not wait for. */
export default function LateServices({ context, updatedAt }: LateServicesProps) {
  useEffect(watchFilledFields, []);
  useEffect(() => {
    const main = document.querySelector("main");
    return main ? keepFocus(main) : undefined;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: something may have been shown since the last answer, even if this one is the same
  useEffect(() => {
    void closeShown(context).catch(() => undefined);
  }, [context, updatedAt]);
  return context.profileId !== null && !context.standing && <StayWatch />;
}
