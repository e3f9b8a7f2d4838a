import type { ProfilePosition } from "@lambda/contract/positions";
import { centreOfCell } from "@lambda/geo/lattice";
import type { GeoUse } from "../../device/device-keys.ts";
import type { KnownPosition, Report, ReportingState } from "./machine-types.ts";

/** Between the machine and the wire. Only centres of cells pass here. */

/** How long it counts is left to the server: a device's clock may be a day behind. */
export function reportOf(state: ReportingState): Report {
  const { use, cell, places, fix, precision, known, leading, hideWanted } = state;
  const rest = {
    precision,
    ...(hideWanted !== null && { hide: hideWanted }),
  };
  const located = leading && (use === "override" || (use === "device" && fix !== null));
  if (located && places && cell !== null) {
    return { ...placed(wireUse(use), centreOfCell(places.lattice, cell)), ...rest };
  }
  // Hiding must not move the member: what the server has is sent back as it is.
  const own = leading && use === "random";
  if (known && !own && known.use !== "RANDOM") {
    const { lat, lon } = known.point;
    return { ...placed(known.use, { lat, lon }), ...rest, precision: known.precision };
  }
  return { use: "RANDOM", ...rest };
}

function placed(use: Report["use"], { lat, lon }: { lat: number; lon: number }) {
  return use === "OVERRIDE" ? { use, overrideLat: lat, overrideLon: lon } : { use, gpsLat: lat, gpsLon: lon };
}

export function wireUse(use: GeoUse): ProfilePosition["use"] {
  return use === "random" ? "RANDOM" : use === "override" ? "OVERRIDE" : "DEVICE_GPS";
}

export function knownOf(position: ProfilePosition): KnownPosition {
  const { use, precision, pending, lat, lon } = position;
  const published = { lat, lon };
  const [cellLat, cellLon] =
    use === "OVERRIDE" ? [position.overrideLat, position.overrideLon] : [position.gpsLat, position.gpsLon];
  const point = cellLat !== null && cellLon !== null ? { lat: cellLat, lon: cellLon } : published;
  return { use, precision, pending, published, point };
}
