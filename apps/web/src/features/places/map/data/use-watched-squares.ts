import {
  LIVE_REFETCH_MS,
  PROFILE_IDS_PER_CALL_MAX,
  SECTOR_PAGE_SIZE,
  SQUARES_WATCHED_MAX,
} from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useState } from "react";
import { connectSocket, type SocketConnection } from "../../../../api/socket.ts";
import { trpc } from "../../../../api/trpc.ts";
import type { Sector } from "./sectors.ts";

/** A random offset, so that pages do not all ask at the same time. */
const PHASE_MS = Math.random() * LIVE_REFETCH_MS;

const squareKey = ({ lat, lon }: Sector) => `${lat}:${lon}`;
const sectorInput = ({ lat, lon }: Sector) => ({ lat, lon, size: SECTOR_PAGE_SIZE });
const isInSquare = (brief: NearbyBrief, { lat, lon }: Sector) =>
  brief.lat !== null && brief.lon !== null && Math.floor(brief.lat) === lat && Math.floor(brief.lon) === lon;

/**
 * Watches squares of the map by socket and refetches only the members that a socket reports as changed. Returns whether
 * a square's socket is ready; the other squares must be polled.
 */
export function useWatchedSquares(sectors: readonly Sector[]): (sector: Sector) => boolean {
  const utils = trpc.useUtils();
  const [ready, setReady] = useState<ReadonlySet<string>>(new Set());
  const watched = sectors.length <= SQUARES_WATCHED_MAX ? sectors.map(squareKey).join(" ") : "";
  useEffect(() => {
    const squares = watched === "" ? [] : watched.split(" ").map(parseSquareKey);
    const watches = squares.map((square) => new SquareWatch(utils, square, setReady));
    return () => {
      for (const watch of watches) watch.stop();
    };
  }, [watched, utils]);
  return (sector) => ready.has(squareKey(sector));
}

type Utils = ReturnType<typeof trpc.useUtils>;

function parseSquareKey(key: string): Sector {
  const [lat, lon] = key.split(":").map(Number);
  return { lat: lat ?? 0, lon: lon ?? 0 };
}

type UpdateReady = (update: (ready: ReadonlySet<string>) => ReadonlySet<string>) => void;

/** One watched square. Its socket reports most changes; members who became hidden from the viewer are found by a slow poll. */
class SquareWatch {
  readonly #utils: Utils;
  readonly #square: Sector;
  readonly #updateReady: UpdateReady;
  readonly #socket: SocketConnection;
  /** The server's mark of the last poll: this page knows all changes up to it. */
  #mark: string | undefined;
  #timer: number | undefined;
  /** A change was skipped because the page was hidden. */
  #hasMissedChange = false;

  constructor(utils: Utils, square: Sector, updateReady: UpdateReady) {
    this.#utils = utils;
    this.#square = square;
    this.#updateReady = updateReady;
    document.addEventListener("visibilitychange", this.#onVisibilityChange);
    this.#socket = connectSocket({
      path: () => `/ws/map?lat=${square.lat}&lon=${square.lon}`,
      onReady: () => {
        this.#setReady(true);
        this.#mark = undefined;
        void this.#poll();
        this.#schedulePoll();
      },
      onLost: () => {
        this.#setReady(false);
        window.clearTimeout(this.#timer);
      },
      onEvent: (event) => {
        if (event.type === "around") void this.#refreshMembers(event.profileIds);
      },
    });
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.#onVisibilityChange);
    window.clearTimeout(this.#timer);
    this.#setReady(false);
    this.#socket.close();
  }

  #setReady(isReady: boolean): void {
    const key = squareKey(this.#square);
    this.#updateReady((ready) => {
      const others = [...ready].filter((other) => other !== key);
      return new Set(isReady ? [...others, key] : others);
    });
  }

  /** False while the page is hidden; it then catches up when it becomes visible. */
  #canFetch(): boolean {
    const isVisible = document.visibilityState === "visible";
    this.#hasMissedChange ||= !isVisible;
    return isVisible;
  }

  readonly #onVisibilityChange = () => {
    if (!this.#hasMissedChange || document.visibilityState !== "visible") return;
    this.#hasMissedChange = false;
    this.#mark = undefined;
    void this.#poll();
  };

  #refetch(): Promise<void> {
    return this.#utils.positions.bySector.invalidate(sectorInput(this.#square));
  }

  async #poll(): Promise<void> {
    if (!this.#canFetch()) return;
    const mark = this.#mark;
    try {
      const response = await this.#utils.client.positions.changedSince.query(mark === undefined ? {} : { mark });
      this.#mark = response.mark;
      if (response.changed || mark === undefined) await this.#refetch();
    } catch {
      this.#mark = undefined;
      await this.#refetch();
    }
  }

  /** Timed by the clock, so that all squares of the page poll at once and share a batch. */
  #schedulePoll(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(
      () => {
        void this.#poll();
        this.#schedulePoll();
      },
      LIVE_REFETCH_MS - ((Date.now() + PHASE_MS) % LIVE_REFETCH_MS),
    );
  }

  /** Replaces the briefs of these members. An empty list means that too many changed, so the whole square is refetched. */
  async #refreshMembers(profileIds: readonly number[]): Promise<void> {
    if (!this.#canFetch()) return;
    if (profileIds.length === 0) return this.#refetch();
    try {
      const briefs = await fetchBriefs(this.#utils, profileIds);
      const briefsInSquare = briefs.filter((brief) => isInSquare(brief, this.#square));
      const changedIds = new Set(profileIds);
      this.#utils.positions.bySector.setData(
        sectorInput(this.#square),
        (page) =>
          page && {
            ...page,
            items: [...page.items.filter(({ profileId }) => !changedIds.has(profileId)), ...briefsInSquare],
          },
      );
    } catch {
      await this.#refetch();
    }
  }
}

async function fetchBriefs({ client }: Utils, profileIds: readonly number[]): Promise<NearbyBrief[]> {
  const groups = Array.from({ length: Math.ceil(profileIds.length / PROFILE_IDS_PER_CALL_MAX) }, (_, index) =>
    profileIds.slice(index * PROFILE_IDS_PER_CALL_MAX, (index + 1) * PROFILE_IDS_PER_CALL_MAX),
  );
  const responses = await Promise.all(groups.map((group) => client.positions.byIds.query({ profileIds: group })));
  return responses.flatMap(({ items }) => items);
}
