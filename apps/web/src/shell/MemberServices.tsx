import { useEffect } from "react";
import Live from "../features/chat/Live.tsx";
import { PositionReporter } from "../features/position/PositionReporter.tsx";
import type { Session } from "../session/session.ts";
import { keepFocus } from "./keep-focus.ts";

/**
 * What runs beside every screen for a member: his position's reporting, the keyboard's focus and, while his standing allows
 * it, his live connection. A chunk of its own.
 */
export default function MemberServices({ session, path }: { session: Session; path: string }) {
  useEffect(() => {
    const main = document.querySelector("main");
    return main ? keepFocus(main) : undefined;
  }, []);
  return (
    <>
      <PositionReporter session={session} path={path} />
      {session.profileId !== 0 && !session.context?.standing && <Live profileId={session.profileId} />}
    </>
  );
}
