import { DAY_MS } from "@lambda/contract/limits";
import { useToast } from "@lambda/ui/toast";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";

/** null: until revoked. */
export const GRANT_LENGTHS_MS = { forever: null, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
export type GrantLength = keyof typeof GRANT_LENGTHS_MS;

export function useAlbumActions() {
  const copy = useCopy(picturesCopy).album;
  const toast = useToast();
  const utils = trpc.useUtils();
  const refresh = () => {
    void utils.albums.invalidate();
    void utils.pictures.list.invalidate();
    void utils.profiles.get.invalidate();
  };
  const confirmAndRefresh = (text: string) => () => {
    toast({ text, tone: "success" });
    refresh();
  };
  const onError = useFailureToast();
  const request = trpc.albums.request.useMutation({ onSuccess: confirmAndRefresh(copy.requestedText), onError });
  const withdraw = trpc.albums.withdraw.useMutation({ onSuccess: refresh, onError });
  const grant = trpc.albums.grant.useMutation({ onSuccess: confirmAndRefresh(copy.granted), onError });
  const revoke = trpc.albums.revoke.useMutation({ onSuccess: confirmAndRefresh(copy.revoked), onError });
  return {
    busy: request.isPending || withdraw.isPending || grant.isPending || revoke.isPending,
    request: (ownerProfileId: number) => request.mutate({ ownerProfileId }),
    withdraw: (ownerProfileId: number) => withdraw.mutate({ ownerProfileId }),
    grant: (memberProfileId: number, length: GrantLength) =>
      grant.mutate({ memberProfileId, expiresInMs: GRANT_LENGTHS_MS[length] }),
    revoke: (memberProfileId: number) => revoke.mutate({ memberProfileId }),
  };
}
