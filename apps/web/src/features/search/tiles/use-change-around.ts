import { SQUARES_WATCHED_MAX } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useState } from "react";
import { connectSocket } from "../../../api/socket.ts";

/** The squares of one degree in which these members are, by name; empty where they are too many to watch. */
function squaresOf(members: readonly NearbyBrief[]): string {
  const names = new Set<string>();
  for (const { lat, lon } of members)
    if (lat !== null && lon !== null) names.add(`lat=${Math.floor(lat)}&lon=${Math.floor(lon)}`);
  return names.size <= SQUARES_WATCHED_MAX ? [...names].sort().join(" ") : "";
}

/**
 * When somebody in the squares of these members last came, went or looked different, in ms, as their sockets tell; `Infinity` while not all of
 * them are ready.
 */
export function useChangeAround(members: readonly NearbyBrief[]): number {
  const squares = squaresOf(members);
  const [changed, setChanged] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (squares === "") return;
    const names = squares.split(" ");
    const ready = new Set<string>();
    const sockets = names.map((name) =>
      connectSocket({
        path: `/ws/map?${name}`,
        onReady: () => {
          ready.add(name);
          // What came before was not heard.
          if (ready.size === names.length) setChanged(Date.now());
        },
        onLost: () => {
          ready.delete(name);
          setChanged(Number.POSITIVE_INFINITY);
        },
        onEvent: ({ type }) => {
          if (type === "around" && ready.size === names.length) setChanged(Date.now());
        },
      }),
    );
    return () => {
      setChanged(Number.POSITIVE_INFINITY);
      for (const socket of sockets) socket.close();
    };
  }, [squares]);
  return changed;
}
