import { type ReactNode, Suspense } from "react";
import { lazyPart } from "../routing/lazy-part.ts";
import { useSession } from "../session/session.ts";

const AgeCard = lazyPart(() => import("./AgeCard.tsx"));

/** Shows the AgeCard where the law restricts explicit pictures, else its children. */
export function AgeNotice({ children = null }: { children?: ReactNode }) {
  const rule = useSession().context?.explicitPictures ?? "open";
  if (rule === "open") return children;
  return (
    <Suspense fallback={null}>
      <AgeCard rule={rule} />
    </Suspense>
  );
}
