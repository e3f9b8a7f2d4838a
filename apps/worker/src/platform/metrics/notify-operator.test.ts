import { MINUTE_MS } from "@lambda/contract/limits";
import { configuredWorker } from "@lambda/testing/harness";
import { startPushService } from "@lambda/testing/push-service";
import { startSeparateWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";
import { metricsOf } from "./counts.ts";

const NOW = 1_800_000_000_000;

it("reports the start and end of an incident once each, by mail and push, even if one of them fails", async () => {
  const service = await startPushService();
  const topic = service.createDevice("topic").subscription.endpoint.replace("https:", "http:");
  const vars = { ALERT_ADDRESS: "operator@mail.test", ALERT_PUSH_URL: topic };
  const worker = await startSeparateWorker([{ ...configuredWorker(), vars }]);
  try {
    const metrics = metricsOf(worker.env);
    const pushes = () => service.received.map(({ body }) => body.toString());
    const printed: string[] = [];
    const mails = () => {
      printed.push(...worker.takePrinted());
      return printed.filter((message) => message.includes("To: operator@mail.test"));
    };
    // The push fails at first, but the mail arrives: reported.
    service.nextStatuses.set("/topic", [500]);
    await metrics.tick({ deadLetters: 1, mailsRefused: 9 }, NOW);
    expect(pushes()).toEqual([
      expect.stringMatching(/^Mails are refused .*Alert: mail\)\nPushes were given up .*Alert: dead-letters\)$/),
    ]);
    await expect.poll(mails).toHaveLength(1);
    expect(mails()[0]).toMatch(/Mails are refused .*and 1 more/);
    expect((await metrics.incidents()).map(({ told }) => told)).toEqual([true, true]);
    await metrics.tick({}, NOW + MINUTE_MS);
    expect(pushes()).toHaveLength(1);
    await metrics.tick({}, NOW + 90 * MINUTE_MS);
    expect(pushes()[1]).toMatch(/^Over: Mails are refused/);
    await metrics.tick({}, NOW + 91 * MINUTE_MS);
    expect(pushes()).toHaveLength(2);
    await expect.poll(mails).toHaveLength(2);
  } finally {
    await worker.close();
    service.close();
  }
});
