/** Turns alerts into incidents, which are reported once when they start and once when they end. */
import { MINUTE_MS } from "@lambda/contract/limits";
import type { Alert } from "@lambda/contract/site-health";
import type { OpenIncident } from "../objects.ts";

/** An incident ends after this long without its alert, so that an intermittent alert is one incident. */
const QUIET_MS = 15 * MINUTE_MS;

/** The incidents after a check of the alerts. */
export function updateIncidents(
  before: readonly OpenIncident[],
  alerts: readonly Alert[],
  now: number,
  details: Readonly<Partial<Record<Alert, string>>> = {},
): OpenIncident[] {
  const next = before.map((incident) => {
    if (incident.until !== null) return incident;
    if (alerts.includes(incident.alert)) return { ...incident, lastSeen: now };
    return now - incident.lastSeen >= QUIET_MS ? { ...incident, until: now } : incident;
  });
  const open = new Set(next.filter(({ until }) => until === null).map(({ alert }) => alert));
  const started = alerts.filter((alert) => !open.has(alert));
  return [
    ...next,
    ...started.map((alert) => {
      const detail = details[alert];
      return { alert, ...(detail && { detail }), from: now, lastSeen: now, told: false, until: null, toldOver: false };
    }),
  ];
}

/** Incidents to report: those that started, and those that ended after their start was reported. */
export function listUnreported(incidents: readonly OpenIncident[]): OpenIncident[] {
  return incidents.filter(({ told, until, toldOver }) => (until === null ? !told : told && !toldOver));
}

export function markReported(incident: OpenIncident): OpenIncident {
  return incident.until === null ? { ...incident, told: true } : { ...incident, toldOver: true };
}
