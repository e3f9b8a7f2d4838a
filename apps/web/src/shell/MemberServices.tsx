import Live from "../features/chat/Live.tsx";
import { PositionReporter } from "../features/position/PositionReporter.tsx";
import type { Session } from "../lib/session.ts";

/**
 * What runs beside every screen for a member: his position's reporting and, while his standing allows it, his live connection. A
 * chunk of its own.
 */
export default function MemberServices({ session, path }: { session: Session; path: string }) {
  return (
    <>
      <PositionReporter session={session} path={path} />
      {session.profileId !== 0 && !session.context?.standing && <Live profileId={session.profileId} />}
    </>
  );
}
