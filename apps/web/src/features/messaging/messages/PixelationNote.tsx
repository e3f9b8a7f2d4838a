import { lazyPart } from "../../../routing/lazy-part.tsx";

/** Explains why received pictures may be pixelated. Loaded with the first such picture to keep the chat bundle small. */
export const PixelationNote = lazyPart(() => import("../../../components/AgeHelpLink.tsx"));
