import { Suspense } from "react";
import { lazyScreen } from "../../routing/lazy-screen.ts";

const AgeHelpLink = lazyScreen(() => import("../../components/AgeHelpLink.tsx"));

/**
 * Explains why received pictures may be pixelated. Loaded with the first such picture to keep the chat bundle small.
 */
export function PixelationNote() {
  return (
    <Suspense fallback={null}>
      <AgeHelpLink />
    </Suspense>
  );
}
