import { PROFILE_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import type { OwnPicture } from "@lambda/contract/pictures";
import { useToast } from "@lambda/ui/toast";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import type { Albums } from "./order.ts";

export interface OwnPictures {
  readonly pictures: readonly OwnPicture[] | undefined;
  readonly failed: boolean;
  retry(): void;
  arrange(albums: Albums): void;
  mark(picture: OwnPicture, marks: { nsfw?: boolean; harmless?: boolean; wantsCrop?: boolean }): void;
  remove(picture: OwnPicture): void;
}

/** The own pictures; every change shows at once, is saved at once, and is taken back when the server refuses it. */
export function useOwnPictures(): OwnPictures {
  const copy = useCopy(picturesCopy).editor;
  const toast = useToast();
  const utils = trpc.useUtils();
  const query = trpc.pictures.mine.useQuery();

  const show = (change: (pictures: OwnPicture[]) => OwnPicture[]) =>
    utils.pictures.mine.setData(undefined, (shown) => shown && { items: change(shown.items) });
  const settle = {
    onSuccess: () => {
      toast({ text: copy.saved, tone: "success", ms: PROFILE_SAVED_SHOWN_MS });
      void utils.profiles.invalidate();
      void utils.pictures.list.invalidate();
    },
    onError: () => {
      toast({ text: copy.failed, tone: "warn" });
      void utils.pictures.mine.invalidate();
    },
  } as const;

  const arrange = trpc.pictures.arrange.useMutation({
    ...settle,
    onMutate: ({ profilePicIds = [], profilePicIdsPrivate = [] }) =>
      show((pictures) => arranged(pictures, profilePicIds.map(Number), profilePicIdsPrivate.map(Number))),
  });
  const mark = trpc.pictures.update.useMutation({
    ...settle,
    onMutate: ({ id, nsfw, harmless, wantsCrop }) =>
      show((pictures) =>
        pictures.map((picture) =>
          picture.id === id
            ? {
                ...picture,
                ...(nsfw !== undefined && {
                  nsfwByOwner: nsfw === true,
                  nsfw: nsfw === true || picture.nsfwByCommunity,
                  ...(nsfw === true && { harmlessByOwner: false }),
                }),
                ...(harmless !== undefined && {
                  harmlessByOwner: harmless === true,
                  ...(harmless === true && { nsfwByOwner: false, nsfw: picture.nsfwByCommunity }),
                }),
                ...(wantsCrop !== undefined && { wantsCrop: wantsCrop === true }),
              }
            : picture,
        ),
      ),
  });
  const remove = trpc.pictures.delete.useMutation({
    ...settle,
    onMutate: ({ id }) => show((pictures) => pictures.filter((picture) => picture.id !== Number(id))),
  });

  return {
    pictures: query.data?.items,
    failed: query.isError,
    retry: () => void query.refetch(),
    arrange: (albums) => arrange.mutate({ profilePicIds: albums.public, profilePicIdsPrivate: albums.private }),
    mark: ({ id }, marks) => mark.mutate({ id, ...marks }),
    remove: ({ id }) => remove.mutate({ id }),
  };
}

/** Both albums in this order; pictures that neither list names stay behind them. */
function arranged(
  pictures: readonly OwnPicture[],
  publicIds: readonly number[],
  privateIds: readonly number[],
): OwnPicture[] {
  const byId = new Map(pictures.map((picture) => [picture.id, picture]));
  const take = (ids: readonly number[], audience: "public" | "private") =>
    ids.flatMap((id) => {
      const picture = byId.get(id);
      byId.delete(id);
      return picture ? [{ ...picture, audience }] : [];
    });
  return [...take(publicIds, "public"), ...take(privateIds, "private"), ...byId.values()];
}
