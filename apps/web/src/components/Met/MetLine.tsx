import { Icon } from "@lambda/ui/icon";
import { trpc } from "../../api/trpc.ts";
import { useMetCopy } from "./copy.ts";

/** "Met by 3+"; nothing below. */
export function MetLine({ metBy }: { metBy: number | undefined }) {
  const copy = useMetCopy();
  if (!metBy) return null;
  return (
    <p className="row wrap gap-2">
      <Icon name="check-double" size={18} />
      <strong className="accent">{copy.metBy(metBy)}</strong> {copy.metByHint}
    </p>
  );
}

/** The same on the member's own profile. */
export function OwnMetLine() {
  return <MetLine metBy={trpc.met.own.useQuery().data?.metBy} />;
}
