import { LIVE_REFETCH_MS, MEMBERS_ASKED_MAX, SECTOR_PAGE_SIZE, SQUARES_WATCHED_MAX } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useState } from "react";
import { connectSocket } from "../../../api/socket.ts";
import { trpc } from "../../../api/trpc.ts";
import type { Sector } from "./sectors.ts";

/** Pages do not ask all at the same time. */
const PHASE_MS = Math.random() * LIVE_REFETCH_MS;

const nameOf = ({ lat, lon }: Sector) => `${lat}:${lon}`;
const inputOf = ({ lat, lon }: Sector) => ({ lat, lon, size: SECTOR_PAGE_SIZE });
const isIn = (brief: NearbyBrief, { lat, lon }: Sector) =>
  brief.lat !== null && brief.lon !== null && Math.floor(brief.lat) === lat && Math.floor(brief.lon) === lon;

/**
 * Watches squares of the map: their sockets tell who changed, and only those are asked for anew. Answers the names of the squares whose
 * socket is ready; all others have to be asked for at the interval.
 */
export function useWatchedSquares(sectors: readonly Sector[]): (sector: Sector) => boolean {
  const utils = trpc.useUtils();
  const [ready, setReady] = useState<ReadonlySet<string>>(new Set());
  const watched = sectors.length <= SQUARES_WATCHED_MAX ? sectors.map(nameOf).join(" ") : "";
  useEffect(() => {
    const squares = watched === "" ? [] : watched.split(" ").map(sectorOfName);
    const sockets = squares.map((square) => watch(utils, square, setReady));
    return () => {
      for (const stop of sockets) stop();
    };
  }, [watched, utils]);
  return (sector) => ready.has(nameOf(sector));
}

type Utils = ReturnType<typeof trpc.useUtils>;

function sectorOfName(name: string): Sector {
  const [lat, lon] = name.split(":").map(Number);
  return { lat: lat ?? 0, lon: lon ?? 0 };
}

/** Answers how to stop. */
function watch(
  utils: Utils,
  square: Sector,
  setReady: (change: (ready: ReadonlySet<string>) => ReadonlySet<string>) => void,
): () => void {
  const name = nameOf(square);
  /** Until when this page knows of whatever hid somebody. */
  let mark: string | undefined;
  let timer: number | undefined;
  /** Something came while the page was out of sight, where nothing is asked. */
  let missed = false;
  const isInSight = () => document.visibilityState === "visible";
  const readAnew = () => utils.positions.bySector.invalidate(inputOf(square));
  const setIsReady = (isReady: boolean) =>
    setReady((ready) => {
      const others = [...ready].filter((other) => other !== name);
      return new Set(isReady ? [...others, name] : others);
    });

  /** Sockets tell of most; what hides somebody from somebody is asked for besides, at a long interval. */
  async function askNews(): Promise<void> {
    if (!isInSight()) {
      missed = true;
      return;
    }
    const isFirst = mark === undefined;
    try {
      const news = await utils.client.positions.news.query(mark === undefined ? {} : { mark });
      mark = news.mark;
      if (news.changed || isFirst) await readAnew();
    } catch {
      mark = undefined;
      await readAnew();
    }
  }
  /** All squares of the page at once: their questions travel together. */
  function askNewsLater(): void {
    window.clearTimeout(timer);
    timer = window.setTimeout(
      () => {
        void askNews();
        askNewsLater();
      },
      LIVE_REFETCH_MS - ((Date.now() + PHASE_MS) % LIVE_REFETCH_MS),
    );
  }
  async function look(profileIds: readonly number[]): Promise<void> {
    if (!isInSight()) {
      missed = true;
      return;
    }
    if (profileIds.length === 0) return readAnew();
    try {
      const groups = Array.from({ length: Math.ceil(profileIds.length / MEMBERS_ASKED_MAX) }, (_, index) =>
        profileIds.slice(index * MEMBERS_ASKED_MAX, (index + 1) * MEMBERS_ASKED_MAX),
      );
      const answers = await Promise.all(
        groups.map((group) => utils.client.positions.byIds.query({ profileIds: group })),
      );
      const found = answers.flatMap(({ items }) => items).filter((brief) => isIn(brief, square));
      const named = new Set(profileIds);
      utils.positions.bySector.setData(
        inputOf(square),
        (page) =>
          page && { ...page, items: [...page.items.filter(({ profileId }) => !named.has(profileId)), ...found] },
      );
    } catch {
      await readAnew();
    }
  }
  const onSight = () => {
    if (!missed || !isInSight()) return;
    missed = false;
    mark = undefined;
    void askNews();
  };
  document.addEventListener("visibilitychange", onSight);
  const socket = connectSocket({
    path: `/ws/map?lat=${square.lat}&lon=${square.lon}`,
    onReady: () => {
      setIsReady(true);
      mark = undefined;
      void askNews();
      askNewsLater();
    },
    onLost: () => {
      setIsReady(false);
      window.clearTimeout(timer);
    },
    onEvent: (event) => {
      if (event.type === "around") void look(event.profileIds);
    },
  });
  return () => {
    document.removeEventListener("visibilitychange", onSight);
    window.clearTimeout(timer);
    setIsReady(false);
    socket.close();
  };
}
