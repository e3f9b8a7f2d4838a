import type { OwnPicture } from "@lambda/contract/pictures";
import { createMember, type TestMember } from "@lambda/testing/member";
import { postPicture } from "@lambda/testing/pictures";
import { makeRealLifeFiles } from "@lambda/testing/real-life-files/corpus";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";

/** Fewer than a member may upload per hour. */
const UPLOADS_EACH = 40;
const AT_ONCE = 5;

it("takes every picture of real life that its decoder can read, upright, and refuses the others with a reason", {
  timeout: 120_000,
}, async () => {
  const worker = await startWorker();
  const files = await makeRealLifeFiles();
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  expect(files.length).toBeGreaterThanOrEqual(60);
  const surprises: unknown[] = [];
  const send = async (member: TestMember, file: (typeof files)[number]) => {
    const { name, type, bytes, server, device, size } = file;
    const response = await postPicture(member, bytes, { name: name || "blob", type, audience: "chat" });
    const body = (await response.json()) as OwnPicture & { error?: { message: string; reason?: string } };
    if (response.status !== server) surprises.push([name, response.status, body.error?.message]);
    if (response.status !== 201 && !body.error?.reason) surprises.push([name, "no reason"]);
    if (response.status === 201 && device === "original" && size && `${size}` !== `${[body.width, body.height]}`)
      surprises.push([name, body.width, body.height]);
  };
  for (let from = 0; from < files.length; from += UPLOADS_EACH) {
    const member = await createMember(worker);
    const part = files.slice(from, from + UPLOADS_EACH);
    for (let at = 0; at < part.length; at += AT_ONCE)
      await Promise.all(part.slice(at, at + AT_ONCE).map((file) => send(member, file)));
  }
  expect(surprises).toEqual([]);
});
