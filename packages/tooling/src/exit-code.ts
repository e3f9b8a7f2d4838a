/** What a command ends with when its server ended: only who asked for the end gets a zero, whatever the server says itself. */
export function exitCodeOf(serverCode: number | null, asked: boolean): number {
  return asked ? 0 : serverCode || 1;
}
