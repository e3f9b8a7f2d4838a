import { CHUNK_WAIT_MS, DeadlinePassed, withDeadline } from "../device/with-deadline.ts";
import { currentBuild } from "./current-build.ts";

const RELOADED_BUILD_KEY = "reloaded";

/** A chunk could not be fetched: the device is offline, the line is dead, or the file is gone. */
export class ChunkMissing extends Error {}

export interface ChunkLoader<Module> {
  /** For a chunk that is needed now. Rejects with ChunkMissing. If it is missing (a deploy since the page was opened), reloads the page once per build. */
  readonly load: () => Promise<Module>;
  /** For a chunk that may be needed soon. Never reloads the page and never rejects; resolves to undefined on failure. */
  readonly preload: () => Promise<Module | undefined>;
}

let isLeaving = false;

/** Loads a chunk once; after a failure the next call tries again. Chromium refetches a failed module only after a reload. */
export function createChunkLoader<Module>(load: () => Promise<Module>): ChunkLoader<Module> {
  let loading: Promise<Module> | undefined;
  const onLeave = () => {
    isLeaving = true;
  };
  const start = () => {
    if (!loading) {
      // The build renders pages too, where nothing is left.
      globalThis.addEventListener?.("beforeunload", onLeave);
      loading = withDeadline(CHUNK_WAIT_MS, load)
        .catch((error: unknown) => {
          loading = undefined;
          throw error;
        })
        .finally(() => globalThis.removeEventListener?.("beforeunload", onLeave));
    }
    return loading;
  };
  return { load: () => start().catch(reloadForBuild), preload: () => start().catch(() => undefined) };
}

async function reloadForBuild(cause: unknown): Promise<never> {
  const build = currentBuild();
  // Firefox fails what a page that is being left still loads, and a reload would take the member back to it.
  if (isLeaving) await new Promise((resolve) => setTimeout(resolve, CHUNK_WAIT_MS));
  isLeaving = false;
  if (
    cause instanceof DeadlinePassed ||
    sessionStorage.getItem(RELOADED_BUILD_KEY) === build ||
    // Without a server, a reload would leave the browser's error page instead of what was typed and chosen.
    !(await withDeadline(CHUNK_WAIT_MS, () => fetch("/api/ping")).catch(() => undefined))?.ok
  )
    throw new ChunkMissing(String(cause));
  sessionStorage.setItem(RELOADED_BUILD_KEY, build);
  location.reload();
  return new Promise<never>(() => {});
}
