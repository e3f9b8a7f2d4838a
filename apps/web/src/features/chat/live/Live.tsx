import { useEffect } from "react";
import { startLive } from "./live.ts";

/** Keeps a member's live connection while any page is open. Draws nothing. */
export default function Live({ profileId }: { profileId: number }) {
  useEffect(() => startLive(profileId), [profileId]);
  return null;
}
