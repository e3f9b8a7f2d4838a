import { SQUARES_WATCHED_MAX } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useState } from "react";
import { connectSocket } from "../../../api/socket.ts";

/** The keys of the squares that these members are in. Empty if there are too many to watch. */
function squaresOf(members: readonly NearbyBrief[]): string {
  const names = new Set<string>();
  for (const { lat, lon } of members)
    if (lat !== null && lon !== null) names.add(`lat=${Math.floor(lat)}&lon=${Math.floor(lon)}`);
  return names.size <= SQUARES_WATCHED_MAX ? [...names].sort().join(" ") : "";
}

/** The time in ms at which a socket last announced a change in the squares of these members. `Infinity` until all sockets are ready. */
export function useLastChangeNearby(members: readonly NearbyBrief[]): number {
  const squares = squaresOf(members);
  const [lastChange, setLastChange] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (squares === "") return;
    const names = squares.split(" ");
    const ready = new Set<string>();
    const sockets = names.map((name) =>
      connectSocket({
        path: `/ws/map?${name}`,
        onReady: () => {
          ready.add(name);
          // Changes before this moment may have been missed.
          if (ready.size === names.length) setLastChange(Date.now());
        },
        onLost: () => {
          ready.delete(name);
          setLastChange(Number.POSITIVE_INFINITY);
        },
        onEvent: ({ type }) => {
          if (type === "around" && ready.size === names.length) setLastChange(Date.now());
        },
      }),
    );
    return () => {
      setLastChange(Number.POSITIVE_INFINITY);
      for (const socket of sockets) socket.close();
    };
  }, [squares]);
  return lastChange;
}
