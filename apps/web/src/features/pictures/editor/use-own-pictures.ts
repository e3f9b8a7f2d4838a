import { PROFILE_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import type { OwnPicture } from "@lambda/contract/pictures";
import { useToast } from "@lambda/ui/toast";
import { useQueryClient } from "@tanstack/react-query";
import { type RouterInputs, trpc } from "../../../api/trpc.ts";
import type { QueryStateProps } from "../../../components/QueryState.tsx";
import { usePicturesCopy } from "../copy.ts";
import type { Albums } from "./order.ts";

type PictureMarks = Omit<RouterInputs["pictures"]["update"], "id">;

export interface OwnPictures {
  readonly pictures: readonly OwnPicture[] | undefined;
  readonly query: QueryStateProps["query"];
  /** Saves the order in which one picture was moved. */
  arrange(albums: Albums, movedId: number): void;
  mark(picture: OwnPicture, marks: { nsfw?: boolean; harmless?: boolean; wantsCrop?: boolean }): void;
  remove(picture: OwnPicture): void;
}

/** Each order names all pictures of both albums, so the one made last must arrive last. */
const SCOPE = { id: "own-pictures" };

/** The member's own pictures. Changes are shown optimistically and reverted if the server rejects them. */
export function useOwnPictures(): OwnPictures {
  const { editor: copy, replaceFailed } = usePicturesCopy();
  const toast = useToast();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const countChanges = () => queryClient.isMutating({ predicate: ({ options }) => options.scope === SCOPE });
  // What was read before a change would show the picture where it was, and the next order would move it back there.
  const query = trpc.pictures.mine.useQuery(undefined, { enabled: () => countChanges() === 0 });

  const updateCache = async (update: (pictures: OwnPicture[]) => OwnPicture[]) => {
    await utils.pictures.mine.cancel();
    utils.pictures.mine.setData(undefined, (data) => data && { items: update(data.items) });
  };
  const callbacks = {
    scope: SCOPE,
    onSuccess: () => {
      toast({ text: copy.saved, tone: "success", ms: PROFILE_SAVED_SHOWN_MS });
      void utils.profiles.invalidate();
      void utils.pictures.list.invalidate();
    },
    onError: () => toast({ text: replaceFailed, tone: "warn" }),
    onSettled: () => {
      const isLast = countChanges() === 1;
      if (isLast) void utils.pictures.mine.fetch(undefined, { staleTime: 0 }).catch(() => undefined);
    },
  } as const;

  const arrange = trpc.pictures.arrange.useMutation({
    ...callbacks,
    onMutate: ({ profilePicIds = [], profilePicIdsPrivate = [] }) =>
      updateCache((pictures) => reorder(pictures, profilePicIds.map(Number), profilePicIdsPrivate.map(Number))),
  });
  const mark = trpc.pictures.update.useMutation({
    ...callbacks,
    onMutate: ({ id, ...marks }) =>
      updateCache((pictures) => pictures.map((picture) => (picture.id === id ? withMarks(picture, marks) : picture))),
  });
  const remove = trpc.pictures.delete.useMutation({
    ...callbacks,
    onMutate: ({ id }) => updateCache((pictures) => pictures.filter((picture) => picture.id !== Number(id))),
  });

  return {
    pictures: query.data?.items,
    query,
    arrange: (albums, movedId) =>
      arrange.mutate({ profilePicIds: albums.public, profilePicIdsPrivate: albums.private, movedId }),
    mark: ({ id }, marks) => mark.mutate({ id, ...marks }),
    remove: ({ id }) => remove.mutate({ id }),
  };
}

/** Marking a picture as NSFW clears "no nudity", and the other way round. */
function withMarks(picture: OwnPicture, { nsfw, harmless, wantsCrop }: PictureMarks): OwnPicture {
  return {
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
  };
}

/** Orders both albums by the lists; pictures in neither list come last. */
function reorder(
  pictures: readonly OwnPicture[],
  publicIds: readonly number[],
  privateIds: readonly number[],
): OwnPicture[] {
  const byId = new Map(pictures.map((picture) => [picture.id, picture]));
  const takeAll = (ids: readonly number[], audience: "public" | "private") =>
    ids.flatMap((id) => {
      const picture = byId.get(id);
      byId.delete(id);
      return picture ? [{ ...picture, audience }] : [];
    });
  return [...takeAll(publicIds, "public"), ...takeAll(privateIds, "private"), ...byId.values()];
}
