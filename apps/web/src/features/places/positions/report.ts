import type { ProfilePosition } from "@lambda/contract/positions";
import { cellCenter } from "@lambda/geo/lattice";
import type { GeoSource } from "../../../device/device-keys.ts";
import type { Report, ReportingState, ServerPosition } from "./machine-types.ts";

/** Converts between the machine's state and the wire. Only cell centers pass through here. */

/** Carries no expiry time: a device's clock may be a day off, so the server decides. */
export function toReport(state: ReportingState): Report {
  const { use, cell, places, fix, precision, serverPosition, isActiveDevice, pendingHide, hasActed } = state;
  const common = {
    precision,
    ifLast: !hasActed,
    ...(pendingHide !== null && { hide: pendingHide }),
  };
  const hasPoint = isActiveDevice && (use === "override" || (use === "device" && fix !== null));
  if (hasPoint && places && cell !== null) {
    return { ...toCoordinates(toWireUse(use), cellCenter(places.lattice, cell)), ...common };
  }
  // Hiding must not move the member, so the position on the server is sent back unchanged.
  const isRandomHere = isActiveDevice && use === "random";
  if (serverPosition && !isRandomHere && serverPosition.use !== "RANDOM") {
    const { lat, lon } = serverPosition.point;
    return {
      ...toCoordinates(serverPosition.use, { lat, lon }),
      ...common,
      precision: serverPosition.precision,
    };
  }
  return { use: "RANDOM", ...common, ...(!isRandomHere && { keepsPosition: true }) };
}

function toCoordinates(use: Report["use"], { lat, lon }: { lat: number; lon: number }) {
  return use === "OVERRIDE" ? { use, overrideLat: lat, overrideLon: lon } : { use, gpsLat: lat, gpsLon: lon };
}

export function toWireUse(use: GeoSource): ProfilePosition["use"] {
  return use === "random" ? "RANDOM" : use === "override" ? "OVERRIDE" : "DEVICE_GPS";
}

export function toServerPosition(position: ProfilePosition): ServerPosition {
  const { use, precision, pending, lat, lon } = position;
  const published = { lat, lon };
  const [cellLat, cellLon] =
    use === "OVERRIDE" ? [position.overrideLat, position.overrideLon] : [position.gpsLat, position.gpsLon];
  const point = cellLat !== null && cellLon !== null ? { lat: cellLat, lon: cellLon } : published;
  return { use, precision, pending, published, point };
}
