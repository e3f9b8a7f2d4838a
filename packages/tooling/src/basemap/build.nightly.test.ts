import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlaceIndex } from "@lambda/contract/map-archives";
import { PMTiles } from "pmtiles";
import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveKey, checkArchive, putLocally, withLocalBucket } from "./archives.ts";
import { buildBasemap } from "./build.ts";
import { runStreets } from "./streets.ts";

const folder = mkdtempSync(join(tmpdir(), "basemap-test-"));
const file = join(folder, "world.pmtiles");
let handle: number;
let archive: PMTiles;

beforeAll(() => {
  buildBasemap(file);
  handle = openSync(file, "r");
  archive = new PMTiles({
    getKey: () => file,
    getBytes: async (offset, length) => {
      const data = new Uint8Array(length);
      const read = readSync(handle, data, 0, length, offset);
      return { data: data.slice(0, read).buffer };
    },
  });
}, 60_000);

afterAll(() => {
  closeSync(handle);
  rmSync(folder, { recursive: true });
});

const text = async (z: number, x: number, y: number) => new TextDecoder().decode((await archive.getZxy(z, x, y))?.data);

test("builds the whole world, small enough to upload at setup", async () => {
  expect(statSync(file).size).toBeLessThan(5_000_000);
  expect(readdirSync(folder)).toEqual(["world.pmtiles"]);
  expect(await archive.getHeader()).toMatchObject({ minZoom: 0, maxZoom: 6, minLon: -180, maxLon: 180 });
  expect(await archive.getMetadata()).toMatchObject({ attribution: expect.stringContaining("Natural Earth") });
});

test("contains the brands' first cities with their quarters, counties and states", async () => {
  const phoenix = await text(6, 12, 25);
  for (const word of ["earth", "boundaries", "places", "county", "state", "Phoenix", "Tempe"])
    expect(phoenix).toContain(word);
  const barcelona = await text(6, 32, 23);
  for (const word of ["Barcelona", "Eixample", "quarter"]) expect(barcelona).toContain(word);
  expect(await text(6, 10, 22)).toContain("Portland");
});

test("shows only countries and the largest cities at low zoom, in English and Spanish", async () => {
  const world = await text(0, 0, 0);
  for (const word of ["Russia", "Rusia", "country"]) expect(world).toContain(word);
  for (const word of ["Tempe", "county"]) expect(world).not.toContain(word);
});

test("lists the names by which a place can be looked for, in English, in Spanish and as spoken there", async () => {
  const { place_index: index } = (await archive.getMetadata()) as { place_index: PlaceIndex };
  const find = (country: string, name: string) => {
    const { names, lats, lons, quarters } = index[country]!;
    const at = names.split("\n").findIndex((line) => line.split("\t").includes(name));
    return { line: names.split("\n")[at], lat: lats[at]! / 100, lon: lons[at]! / 100, quarter: quarters.includes(at) };
  };
  expect(find("DE", "Colonia").line).toBe("Cologne\tColonia\tKöln");
  expect(find("US", "Nueva York").line).toBe("New York City\tNueva York");
  expect(find("ES", "Sitges")).toEqual({ line: "Sitges", lat: 41.24, lon: 1.81, quarter: false });
  expect(find("ES", "Eixample").quarter).toBe(true);
});

test("rejects files that are not archives and names that the worker would not serve", () => {
  const junk = join(folder, "junk.pmtiles");
  writeFileSync(junk, "PMTiles");
  expect(() => checkArchive(junk)).toThrow("no PMTiles v3 archive");
  rmSync(junk);
  expect(() => checkArchive(file)).not.toThrow();
  for (const name of ["../x", "Region", ""]) expect(() => archiveKey(name)).toThrow("is no archive name");
});

test("stores the archive in the local bucket byte for byte", async () => {
  const state = join(folder, "state");
  await withLocalBucket((bucket) => putLocally(bucket, file, "world"), state);
  const stored = await withLocalBucket(async (bucket) => {
    return await (await bucket.get("tiles/world.pmtiles"))?.arrayBuffer();
  }, state);
  const expected = new Uint8Array(statSync(file).size);
  readSync(handle, expected, 0, expected.length, 0);
  expect(Buffer.compare(Buffer.from(stored ?? new ArrayBuffer(0)), expected)).toBe(0);
}, 30_000);

test("adds, lists and removes regions by name", async () => {
  const state = join(folder, "streets-state");
  const source = fileURLToPath(new URL("../../data/san-francisco.pmtiles", import.meta.url));
  const streets = async (...words: string[]) => {
    const lines: string[] = [];
    await runStreets([...words, "--state", state], (line) => lines.push(line));
    return lines.join("\n");
  };
  expect(await streets("list")).toContain("No regions");
  await streets("add", "san-francisco", source);
  expect(await streets("list")).toMatch(
    /san-francisco: -122\.52,37\.7,-122\.35,37\.83, zoom 14, 4\.1 MB, installed 20\d\d-/,
  );
  await expect(streets("add", "Bad Name", source)).rejects.toThrow("no archive");
  await expect(streets("add", "junk", fileURLToPath(import.meta.url))).rejects.toThrow("no PMTiles");
  await expect(streets("remove", "world")).rejects.toThrow("no region");
  await expect(streets("remove", "oslo")).rejects.toThrow('no region "oslo"');
  await streets("remove", "san-francisco");
  expect(await streets("list")).toContain("No regions");
  // As a command: it fails and prints the error.
  const program = fileURLToPath(new URL("./streets.ts", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [program, "add", "paris"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.stringContaining("npm run streets")]);
}, 60_000);
