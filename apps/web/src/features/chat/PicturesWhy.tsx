import { Suspense } from "react";
import { lazyScreen } from "../../routing/lazy-screen.ts";

const AgeText = lazyScreen(() => import("../../components/AgeText.tsx"));

/** Why received pictures may be pixelated; fetched with the first of them, so that chat keeps its weight. */
export function PicturesWhy() {
  return (
    <Suspense fallback={null}>
      <AgeText />
    </Suspense>
  );
}
