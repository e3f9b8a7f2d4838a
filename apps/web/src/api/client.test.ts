import type { AppRouter } from "@lambda/worker/router";
import { createTRPCClient, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { expect, it } from "vitest";
import { sharedRepeatLink } from "./client.ts";

/** A client whose calls are answered, all at once and each by its number, when the test says so. */
function makeClient() {
  const calls: (() => void)[] = [];
  const answering: TRPCLink<AppRouter> = () => () =>
    observable((observer) => {
      const data = calls.length + 1;
      calls.push(() => {
        observer.next({ result: { type: "data", data } });
        observer.complete();
      });
    });
  const client = createTRPCClient<AppRouter>({ links: [sharedRepeatLink, answering] });
  const answerAll = () => {
    for (const answer of calls) answer();
  };
  return { client, answerAll };
}

it("a mutation repeated right after itself shares the answer on its way, and others and later ones do not", async () => {
  const { client, answerAll } = makeClient();
  const request = (ownerProfileId: number, signal?: AbortSignal) =>
    client.albums.request.mutate({ ownerProfileId }, signal && { signal });
  const { signal } = new AbortController();
  const answers = [request(1), request(1), request(2), request(1), request(1, signal), request(1, signal)];
  answerAll();
  expect(await Promise.all(answers)).toEqual([1, 1, 2, 3, 4, 5]);
  const later = request(1);
  answerAll();
  expect(await later).toBe(6);
});
