export const EVENING_FROM = 18;
export const NIGHT_UNTIL = 5;

/** What a plan to go out is called at this hour of the member's clock. */
export function dayPart(now: number): "today" | "tonight" {
  const hour = new Date(now).getHours();
  return hour >= EVENING_FROM || hour < NIGHT_UNTIL ? "tonight" : "today";
}
