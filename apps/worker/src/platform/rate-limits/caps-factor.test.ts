import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";
import type { Env } from "../env.ts";
import { capsFactor, limitNetwork } from "./limit.ts";

it("lets the operator raise network limits by a factor of at most 20", async () => {
  expect(
    [undefined, "", "1", "3", "3.9", "1000", "0", "-2", "many"].map((NETWORK_CAPS_FACTOR) =>
      capsFactor(NETWORK_CAPS_FACTOR === undefined ? {} : { NETWORK_CAPS_FACTOR }),
    ),
  ).toEqual([1, 1, 1, 3, 3, 20, 1, 1, 1]);
  const { env } = await startWorker();
  const bar = Object.assign(Object.create(env) as Env, { NETWORK_CAPS_FACTOR: "2" });
  const hitLimit = () =>
    limitNetwork({ env: bar, ip: "bar", site: undefined }, "evening", { network: 2, site: 8 }, 60_000);
  for (let times = 0; times < 4; times += 1) await hitLimit();
  await expect(hitLimit()).rejects.toThrow();
});
