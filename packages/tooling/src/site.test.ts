import { createServer } from "node:net";
import { freePort, isPortFree } from "@lambda/testing/site";
import { expect, it } from "vitest";

it("considers a port free only if nothing listens on it, on any address", async () => {
  const port = await freePort();
  expect(await isPortFree(port)).toBe(true);
  for (const host of [undefined, "127.0.0.1"]) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  }
  expect(await isPortFree(port)).toBe(true);
});
