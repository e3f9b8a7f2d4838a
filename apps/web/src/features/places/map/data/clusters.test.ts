import { toMercator } from "@lambda/geo/mercator";
import { describe, expect, test } from "vitest";
import { cluster, markerSize, WORLD_PX } from "./clusters.ts";

/** Pseudorandom members around Phoenix, the same on each run. */
function membersInPhoenix(count: number) {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: count }, (_, id) => ({
    id,
    ...toMercator(33.45 + (random() + random() - 1) * 0.2, -112.07 + (random() + random() - 1) * 0.24),
  }));
}

test("markers are 16 to 128 px", () => {
  expect(markerSize(2)).toBe(16);
  expect(markerSize(13)).toBe(54);
  expect(markerSize(18)).toBe(128);
  expect(markerSize(22)).toBe(128);
});

describe("clusters", () => {
  test.each([9, 11, 13, 16])("contain every item once and keep their leaders apart at zoom %i", (zoom) => {
    const items = membersInPhoenix(800);
    const clusters = cluster(items, zoom);
    const ids = clusters.flatMap(({ members }) => members.map(({ id }) => id)).sort((a, b) => a - b);
    expect(ids).toEqual(items.map(({ id }) => id));
    const scale = WORLD_PX * 2 ** zoom;
    let nearest = Number.POSITIVE_INFINITY;
    for (const [i, a] of clusters.entries()) {
      for (const b of clusters.slice(i + 1))
        nearest = Math.min(nearest, Math.hypot(a.leader.x - b.leader.x, a.leader.y - b.leader.y) * scale);
    }
    expect(nearest).toBeGreaterThanOrEqual(Math.max(44, markerSize(zoom) * 1.25));
  });

  test("break up at street level", () => {
    expect(cluster(membersInPhoenix(200), 18)).toHaveLength(200);
    expect(cluster(membersInPhoenix(800), 9).length).toBeLessThan(80);
  });

  test("are always led by the first item of the list", () => {
    const items = membersInPhoenix(800);
    const chosen = items[500]!;
    const [first] = cluster([chosen, ...items.filter((item) => item !== chosen)], 9);
    expect(first?.leader).toBe(chosen);
  });
});
