import { Sheet } from "@lambda/ui/sheet";
import { Skeleton } from "@lambda/ui/skeleton";
import { Suspense } from "react";
import { useCopy } from "../../format/i18n.ts";
import { lazyScreen } from "../../routing/lazy-screen.ts";
import { reportCopy } from "./copy.ts";

// Rarely needed, so not in the chunks of the screens that can open it.
const ReportForm = lazyScreen(() => import("./ReportForm.tsx"));

export interface Reported {
  readonly subjectProfileId: number;
  /** The member's public pictures, which the reporter may choose as evidence. */
  readonly pictureIds?: readonly number[];
  /** The member's voice introduction, likewise. */
  readonly voiceId?: number | undefined;
  /** The message that the report is about; the server freezes it as evidence. */
  readonly message?: { readonly id: number; readonly source: "message" | "broadcast" };
}

/** Reports a member, or one of their messages. */
export function ReportDialog({ reported, onClose }: { reported: Reported | undefined; onClose: () => void }) {
  const copy = useCopy(reportCopy);
  return (
    <Sheet open={reported !== undefined} onClose={onClose} title={copy.title} closeLabel={copy.close}>
      {reported && (
        <Suspense fallback={<Skeleton shape="rows" count={3} label={copy.title} />}>
          <ReportForm reported={reported} onDone={onClose} />
        </Suspense>
      )}
    </Sheet>
  );
}
