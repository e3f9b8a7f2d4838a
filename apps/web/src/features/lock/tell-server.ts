import { toBase64Url } from "./bytes.ts";

const RETRY_MS = 30_000;

/**
 * Tells the server that a PIN was right, by the token of its slot: the same request for both PINs. Goes on trying while the page lives;
 * resolves once the server has it.
 */
export async function tellUnlocked(token: Uint8Array | string): Promise<void> {
  const body = JSON.stringify({ token: typeof token === "string" ? token : toBase64Url(token) });
  for (;;) {
    try {
      const answer = await fetch("/api/unlock", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        // It arrives even if the page is closed at once.
        keepalive: true,
      });
      // Whatever else answers is not the server, or did not take it.
      if (answer.ok) return;
    } catch {
      // No network.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Ends the session of this device, its cookies and the pictures that the browser keeps. Resolves once the server has answered. */
export async function endSession(): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch("/api/auth/logout", { method: "POST", keepalive: true });
      if (answer.ok) return;
    } catch {
      // No network.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
