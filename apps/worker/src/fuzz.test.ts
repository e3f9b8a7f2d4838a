import { findFault, fuzzRequests, type OpenApi } from "@lambda/testing/fuzz";
import { createMember } from "@lambda/testing/member";
import { findStoredJsonFaults } from "@lambda/testing/stored-json";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";

/** The same requests each time, unless FUZZ_SEED is set; FUZZ_REQUESTS makes the run longer. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1500);

it("never answers hostile requests with a 5xx, a stack trace or a malformed error", {
  tags: "slow",
  timeout: 300_000,
}, async () => {
  const worker = await startWorker();
  const member = await createMember(worker, { adminBrand: "ember" });
  const document = (await member.get("/api/openapi.json")) as OpenApi;
  const seed = Number(process.env.FUZZ_SEED ?? 1);
  const faults: string[] = [];
  let sent = 0;
  for (const request of fuzzRequests(document, seed)) {
    if (sent === REQUESTS) break;
    sent += 1;
    if (request.path.startsWith("/api/auth/logout")) continue;
    const { method, path, headers, body } = request;
    const hostile = { ...headers, "x-development-no-route": "1" };
    const response = await member.fetch(path, { method, headers: hostile, ...(body !== undefined && { body }) });
    const fault = findFault(response.status, await response.text());
    if (fault) faults.push(`${method} ${path} ${typeof body === "string" ? body.slice(0, 200) : ""}: ${fault}`);
  }
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(await findStoredJsonFaults(worker.run), `seed ${seed}`).toEqual([]);
});
