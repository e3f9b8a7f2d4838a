import { useToast } from "@lambda/ui/toast";
import { useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useFailureToast } from "./use-failure-toast.ts";

interface Action {
  /** The text of a toast after success. */
  readonly done?: string;
  readonly onDone?: () => void;
  /** What is fetched again, also after a failure: a call without an answer may have been carried out. */
  readonly refresh?: readonly Parameters<typeof getQueryKey>[0][];
}

/**
 * A mutation stays busy until what it changed has been fetched again, but not after a failure: without a connection, the button would not
 * answer the next press for a minute.
 */
export const refreshAfter = (refresh: () => Promise<unknown>) => (_: unknown, failure: unknown) => {
  const refreshed = refresh();
  return failure ? undefined : refreshed;
};

/** The options of a mutation whose failure a toast explains. */
export function useAction({ done, onDone, refresh = [] }: Action) {
  const toast = useToast();
  const client = useQueryClient();
  return {
    onError: useFailureToast(),
    onSuccess: () => {
      if (done) toast({ text: done, tone: "success" });
      onDone?.();
    },
    onSettled: refreshAfter(() =>
      Promise.all(refresh.map((part) => client.invalidateQueries({ queryKey: getQueryKey(part) }))),
    ),
  };
}
