import { DAY_MS } from "@lambda/contract/limits";
import { trpc } from "../../../api/trpc.ts";
import { useAction } from "../../../components/use-action.ts";
import { usePicturesCopy } from "../copy.ts";

/** null: until revoked. */
export const GRANT_LENGTHS_MS = { forever: null, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
export type GrantLength = keyof typeof GRANT_LENGTHS_MS;

const refresh = [trpc.albums, trpc.pictures.list, trpc.profiles.get];

export function useAlbumActions() {
  const copy = usePicturesCopy().album;
  const request = trpc.albums.request.useMutation(useAction({ done: copy.requestedText, refresh }));
  const withdraw = trpc.albums.withdraw.useMutation(useAction({ refresh }));
  const grant = trpc.albums.grant.useMutation(useAction({ done: copy.granted, refresh }));
  const revoke = trpc.albums.revoke.useMutation(useAction({ done: copy.revoked, refresh }));
  return {
    busy: request.isPending || withdraw.isPending || grant.isPending || revoke.isPending,
    request: (ownerProfileId: number) => request.mutate({ ownerProfileId }),
    withdraw: (ownerProfileId: number) => withdraw.mutate({ ownerProfileId }),
    grant: (memberProfileId: number, length: GrantLength) =>
      grant.mutate({ memberProfileId, expiresInMs: GRANT_LENGTHS_MS[length] }),
    revoke: (memberProfileId: number) => revoke.mutate({ memberProfileId }),
  };
}
