import { useEffect } from "react";
import { startLiveConnection } from "./live.ts";

/** Keeps the member's live connection open while the site is open. Renders nothing. */
export default function Live({ profileId }: { profileId: number }) {
  useEffect(() => startLiveConnection(profileId), [profileId]);
  return null;
}
