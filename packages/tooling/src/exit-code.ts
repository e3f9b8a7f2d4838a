/** The exit code of a command whose server exited. It is 0 only if the exit was requested, whatever the server's own code. */
export function exitCodeOf(serverCode: number | null, wasRequested: boolean): number {
  return wasRequested ? 0 : serverCode || 1;
}
