import { afterEach, expect, it, vi } from "vitest";
import { ARCHIVE_WAIT_MS } from "../../../../device/with-deadline.ts";
import { openArchive } from "./archive.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("gives up a read that is never answered, and asks again the next time", async () => {
  vi.useFakeTimers();
  const fetchFile = vi.fn(() => new Promise<Response>(() => undefined));
  vi.stubGlobal("fetch", fetchFile);
  for (const asked of [1, 2]) {
    const tiles = [1, 2].map((x) => openArchive("http://localhost/tiles/world.pmtiles").getZxy(6, x, 0));
    const outcomes = Promise.allSettled(tiles);
    await vi.advanceTimersByTimeAsync(ARCHIVE_WAIT_MS);
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(fetchFile).toHaveBeenCalledTimes(asked);
  }
});

it("reads a tile of the highest zoom once for all its parts, again after a failure, and after silence", async () => {
  vi.useFakeTimers();
  const archive = openArchive("http://localhost/tiles/streets.pmtiles");
  const tile = { data: new Uint8Array([1, 2, 3]).buffer };
  vi.spyOn(archive, "getHeader").mockResolvedValue({ maxZoom: 14 } as never);
  const read = vi.spyOn(Object.getPrototypeOf(Object.getPrototypeOf(archive)), "getZxy");
  const askTwice = () => Promise.allSettled([archive.getZxy(14, 5, 5), archive.getZxy(14, 5, 5)]);

  read.mockRejectedValueOnce(new Error("refused"));
  expect((await askTwice()).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  read.mockReturnValueOnce(new Promise(() => undefined));
  const silent = askTwice();
  await vi.advanceTimersByTimeAsync(ARCHIVE_WAIT_MS);
  expect((await silent).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  read.mockResolvedValueOnce(tile);
  const [one, other] = await askTwice();
  expect(read).toHaveBeenCalledTimes(3);
  expect([one, other]).toEqual([
    { status: "fulfilled", value: tile },
    { status: "fulfilled", value: tile },
  ]);
});
