import type { ReactNode } from "react";
import { lazyPart } from "../routing/lazy-part.tsx";
import { useSession } from "../session/session.ts";

const AgeCard = lazyPart(() => import("./AgeCard.tsx"));

/** Shows the AgeCard where the law restricts explicit pictures, else its children. */
export function AgeNotice({ children = null }: { children?: ReactNode }) {
  const rule = useSession().context?.explicitPictures ?? "open";
  if (rule === "open") return children;
  return <AgeCard rule={rule} />;
}
