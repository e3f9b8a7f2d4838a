import { LIVE_REFETCH_MS, MEMBERS_ASKED_MAX, SECTOR_PAGE_SIZE, SQUARES_WATCHED_MAX } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useState } from "react";
import { connectSocket, type SocketConnection } from "../../../api/socket.ts";
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
    const watches = squares.map((square) => new SquareWatch(utils, square, setReady));
    return () => {
      for (const watch of watches) watch.stop();
    };
  }, [watched, utils]);
  return (sector) => ready.has(nameOf(sector));
}

type Utils = ReturnType<typeof trpc.useUtils>;

function sectorOfName(name: string): Sector {
  const [lat, lon] = name.split(":").map(Number);
  return { lat: lat ?? 0, lon: lon ?? 0 };
}

type ChangeReady = (change: (ready: ReadonlySet<string>) => ReadonlySet<string>) => void;

/** One square whose socket tells who changed. Sockets tell of most; what hides somebody from somebody is asked for at a long interval. */
class SquareWatch {
  readonly #utils: Utils;
  readonly #square: Sector;
  readonly #changeReady: ChangeReady;
  readonly #socket: SocketConnection;
  /** Until when this page knows of whatever hid somebody. */
  #mark: string | undefined;
  #timer: number | undefined;
  /** Something came while the page was out of sight, where nothing is asked. */
  #missed = false;

  constructor(utils: Utils, square: Sector, changeReady: ChangeReady) {
    this.#utils = utils;
    this.#square = square;
    this.#changeReady = changeReady;
    document.addEventListener("visibilitychange", this.#onSight);
    this.#socket = connectSocket({
      path: `/ws/map?lat=${square.lat}&lon=${square.lon}`,
      onReady: () => {
        this.#setReady(true);
        this.#mark = undefined;
        void this.#askNews();
        this.#askNewsLater();
      },
      onLost: () => {
        this.#setReady(false);
        window.clearTimeout(this.#timer);
      },
      onEvent: (event) => {
        if (event.type === "around") void this.#look(event.profileIds);
      },
    });
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.#onSight);
    window.clearTimeout(this.#timer);
    this.#setReady(false);
    this.#socket.close();
  }

  #setReady(isReady: boolean): void {
    const name = nameOf(this.#square);
    this.#changeReady((ready) => {
      const others = [...ready].filter((other) => other !== name);
      return new Set(isReady ? [...others, name] : others);
    });
  }

  /** False while the page is out of sight: then it looks when it comes back. */
  #mayAsk(): boolean {
    const isInSight = document.visibilityState === "visible";
    this.#missed ||= !isInSight;
    return isInSight;
  }

  readonly #onSight = () => {
    if (!this.#missed || document.visibilityState !== "visible") return;
    this.#missed = false;
    this.#mark = undefined;
    void this.#askNews();
  };

  #readAnew(): Promise<void> {
    return this.#utils.positions.bySector.invalidate(inputOf(this.#square));
  }

  async #askNews(): Promise<void> {
    if (!this.#mayAsk()) return;
    const mark = this.#mark;
    try {
      const news = await this.#utils.client.positions.news.query(mark === undefined ? {} : { mark });
      this.#mark = news.mark;
      if (news.changed || mark === undefined) await this.#readAnew();
    } catch {
      this.#mark = undefined;
      await this.#readAnew();
    }
  }

  /** All squares of the page at once: their questions travel together. */
  #askNewsLater(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(
      () => {
        void this.#askNews();
        this.#askNewsLater();
      },
      LIVE_REFETCH_MS - ((Date.now() + PHASE_MS) % LIVE_REFETCH_MS),
    );
  }

  /** Replaces the briefs of these members; reads the whole square where too many changed to be named. */
  async #look(profileIds: readonly number[]): Promise<void> {
    if (!this.#mayAsk()) return;
    if (profileIds.length === 0) return this.#readAnew();
    try {
      const briefs = await fetchBriefs(this.#utils, profileIds);
      const found = briefs.filter((brief) => isIn(brief, this.#square));
      const named = new Set(profileIds);
      this.#utils.positions.bySector.setData(
        inputOf(this.#square),
        (page) =>
          page && { ...page, items: [...page.items.filter(({ profileId }) => !named.has(profileId)), ...found] },
      );
    } catch {
      await this.#readAnew();
    }
  }
}

async function fetchBriefs({ client }: Utils, profileIds: readonly number[]): Promise<NearbyBrief[]> {
  const groups = Array.from({ length: Math.ceil(profileIds.length / MEMBERS_ASKED_MAX) }, (_, index) =>
    profileIds.slice(index * MEMBERS_ASKED_MAX, (index + 1) * MEMBERS_ASKED_MAX),
  );
  const answers = await Promise.all(groups.map((group) => client.positions.byIds.query({ profileIds: group })));
  return answers.flatMap(({ items }) => items);
}
