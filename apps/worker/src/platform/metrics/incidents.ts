/** From alerts to incidents: one for each time that something is wrong, told once when it begins and once when it is over. */
import type { Alert } from "@lambda/contract/site-health";
import type { OpenIncident } from "../objects.ts";

/** So long must it be quiet: what comes and goes is one incident. */
const QUIET_MS = 15 * 60_000;

/** The incidents after this look. */
export function nextIncidents(before: readonly OpenIncident[], alerts: readonly Alert[], now: number): OpenIncident[] {
  const next = before.map((incident) => {
    if (incident.until !== null) return incident;
    if (alerts.includes(incident.alert)) return { ...incident, lastSeen: now };
    return now - incident.lastSeen >= QUIET_MS ? { ...incident, until: now } : incident;
  });
  const open = new Set(next.filter(({ until }) => until === null).map(({ alert }) => alert));
  const fresh = alerts.filter((alert) => !open.has(alert));
  return [
    ...next,
    ...fresh.map((alert) => ({ alert, from: now, lastSeen: now, told: false, until: null, toldOver: false })),
  ];
}

/** What the operator has not heard yet: beginnings, and ends of what they heard of. */
export function listUntold(incidents: readonly OpenIncident[]): OpenIncident[] {
  return incidents.filter(({ told, until, toldOver }) => (until === null ? !told : told && !toldOver));
}

export function asTold(incident: OpenIncident): OpenIncident {
  return incident.until === null ? { ...incident, told: true } : { ...incident, toldOver: true };
}
