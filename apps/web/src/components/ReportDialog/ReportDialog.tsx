import { Skeleton } from "@lambda/ui/skeleton";
import { Suspense } from "react";
import { lazyScreen } from "../../routing/lazy-part.tsx";
import { ClosableSheet } from "../ClosableSheet.tsx";
import { useReportCopy } from "./copy.ts";

// Loaded on demand, because it is rarely needed.
const ReportForm = lazyScreen(() => import("./ReportForm.tsx"));

/** An item of "Is it him?", whose pictures have no names. */
export interface CheckReport {
  readonly checkItemId: number;
}

export interface ReportTarget {
  readonly subjectProfileId: number;
  /** The member's public pictures, which the reporter may select as evidence. */
  readonly pictureIds?: readonly number[];
  /** The member's voice introduction, which the reporter may also select as evidence. */
  readonly voiceId?: number | undefined;
  /** The reported message; the server stores a copy as evidence. */
  readonly message?: { readonly id: number; readonly source: "message" | "broadcast" };
}

interface ReportDialogProps {
  reported: ReportTarget | CheckReport | undefined;
  onClose: () => void;
  /** Called instead when the report was sent. */
  onSent?: () => void;
}

export function ReportDialog({ reported, onClose, onSent = onClose }: ReportDialogProps) {
  const copy = useReportCopy();
  return (
    <ClosableSheet open={reported !== undefined} onClose={onClose} title={copy.title}>
      {reported && (
        <Suspense fallback={<Skeleton shape="rows" count={3} label={copy.title} />}>
          <ReportForm reported={reported} onDone={onSent} />
        </Suspense>
      )}
    </ClosableSheet>
  );
}
