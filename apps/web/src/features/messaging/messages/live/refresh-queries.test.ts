import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { queryClient } from "../../../../api/query-client.ts";
import { NOTIFICATIONS, refreshNow } from "./refresh-queries.ts";

it("asks again after a first answer that may be from before the event", async () => {
  const answers: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  };
  const observer = new QueryObserver(queryClient, { queryKey: [...NOTIFICATIONS, "pages"], queryFn });
  const stop = observer.subscribe(() => undefined);
  refreshNow(NOTIFICATIONS);
  answers[0]?.resolve("from before");
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.resolve("with the event");
  await expect.poll(() => observer.getCurrentResult().data).toBe("with the event");
  stop();
});
