import { onlineManager } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { queryClient } from "./query-client.ts";

test("runs mutations immediately while offline instead of pausing them", async () => {
  onlineManager.setOnline(false);
  let tries = 0;
  const logout = queryClient.getMutationCache().build(queryClient, {
    mutationFn: async () => {
      tries += 1;
    },
  });
  void logout.execute(undefined);
  await Promise.resolve();
  expect([tries, logout.state.isPaused]).toEqual([1, false]);
  onlineManager.setOnline(true);
});
