import { Suspense } from "react";
import { lazyPart } from "../../routing/lazy-part.ts";

const AgeHelpLink = lazyPart(() => import("../../components/AgeHelpLink.tsx"));

/** Explains why received pictures may be pixelated. Loaded with the first such picture to keep the chat bundle small. */
export function PixelationNote() {
  return (
    <Suspense fallback={null}>
      <AgeHelpLink />
    </Suspense>
  );
}
