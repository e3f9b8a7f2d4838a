import { onlineManager, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { queryClient } from "./query-client.ts";

test("asks and changes immediately while the browser says that it is offline, and asks again when it says otherwise", async () => {
  onlineManager.setOnline(false);
  let questions = 0;
  const options = { queryKey: ["who"], retry: false, queryFn: () => Promise.reject(new Error(`${++questions}`)) };
  const stop = new QueryObserver(queryClient, options).subscribe(() => undefined);
  await vi.waitFor(() => expect(questions).toBe(1));
  let tries = 0;
  const logout = queryClient.getMutationCache().build(queryClient, {
    mutationFn: async () => {
      tries += 1;
    },
  });
  void logout.execute(undefined);
  await Promise.resolve();
  expect([tries, logout.state.isPaused]).toEqual([1, false]);
  queryClient.mount();
  onlineManager.setOnline(true);
  await vi.waitFor(() => expect(questions).toBe(2));
  stop();
  queryClient.unmount();
});
