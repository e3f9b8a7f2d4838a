import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { requestGpsPosition, watchGps } from "./gps.ts";

const NOW = Date.parse("2026-11-27T12:00:00Z");
let answer: PositionCallback;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  const ask = (onFix: PositionCallback) => {
    answer = onFix;
    return 1;
  };
  vi.stubGlobal("navigator", {
    geolocation: { watchPosition: ask, getCurrentPosition: ask, clearWatch: () => undefined },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const send = (coords: object, timestamp = NOW) =>
  answer({ coords: { latitude: 52.5, longitude: 13.4, accuracy: 20, ...coords }, timestamp } as GeolocationPosition);

it("takes a fix for as old as its arrival where the device tells no time that can be right", () => {
  const onFix = vi.fn();
  watchGps(onFix, vi.fn());
  const from2001 = NOW - Date.parse("2001-01-01T00:00:00Z");
  for (const timestamp of [NOW / 1000, from2001, NOW + 3_600_000, NOW - 3_600_000, 0, Number.NaN]) send({}, timestamp);
  send({}, NOW - 5000);
  expect(onFix.mock.calls.map(([, at]) => at)).toEqual([NOW, NOW, NOW, NOW, NOW, NOW, NOW - 5000]);
});

it("takes a fix of unknown accuracy for a rough one", () => {
  const onFix = vi.fn();
  watchGps(onFix, vi.fn());
  for (const accuracy of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 12.5]) send({ accuracy });
  expect(onFix.mock.calls.map(([, , meters]) => meters)).toEqual([1000, 1000, 1000, 1000, 1000, 0, 12.5]);
});

it("refuses what is no place on earth, and takes the poles and the date line", async () => {
  const [onFix, onError] = [vi.fn(), vi.fn()];
  watchGps(onFix, onError);
  for (const latitude of [Number.NaN, undefined, 91, Number.POSITIVE_INFINITY]) send({ latitude });
  send({ longitude: -181 });
  expect(onError.mock.calls).toEqual(Array.from({ length: 5 }, () => ["unavailable"]));
  expect(onFix).not.toHaveBeenCalled();
  for (const longitude of [180, -180]) send({ latitude: 90, longitude });
  expect(onFix).toHaveBeenCalledTimes(2);
  const asked = requestGpsPosition();
  send({ latitude: Number.NaN });
  await expect(asked).rejects.toBe("unavailable");
});
