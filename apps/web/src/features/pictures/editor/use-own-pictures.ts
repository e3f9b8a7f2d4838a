import { PROFILE_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import type { OwnPicture } from "@lambda/contract/pictures";
import { useToast } from "@lambda/ui/toast";
import { getQueryKey } from "@trpc/react-query";
import { type RouterInputs, trpc } from "../../../api/trpc.ts";
import type { QueryStateProps } from "../../../components/QueryState.tsx";
import { useSavedWhole } from "../../../components/use-saved-whole.ts";
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

/** The member's own pictures. Changes are shown at once and reverted if the server rejects them. */
export function useOwnPictures(): OwnPictures {
  const { editor: copy, replaceFailed } = usePicturesCopy();
  const toast = useToast();
  const utils = trpc.useUtils();
  const query = trpc.pictures.mine.useQuery();
  const [shown, saveWhole] = useSavedWhole(getQueryKey(trpc.pictures.mine, undefined, "query"), query.data);
  const arrange = trpc.pictures.arrange.useMutation();
  const mark = trpc.pictures.update.useMutation();
  const remove = trpc.pictures.delete.useMutation();

  const save = async (change: (pictures: OwnPicture[]) => OwnPicture[], send: () => Promise<unknown>) => {
    try {
      const isLast = await saveWhole(
        ({ items }) => ({ items: change(items) }),
        () => send().then(() => undefined),
      );
      toast({ text: copy.saved, tone: "success", ms: PROFILE_SAVED_SHOWN_MS });
      void utils.profiles.invalidate();
      void utils.pictures.list.invalidate();
      // The server may have decided more than was pressed.
      if (isLast) void utils.pictures.mine.invalidate();
    } catch {
      toast({ text: replaceFailed, tone: "warn" });
    }
  };
  return {
    pictures: shown?.items,
    query,
    arrange: (albums, movedId) =>
      void save(
        (pictures) => reorder(pictures, albums.public, albums.private),
        () => arrange.mutateAsync({ profilePicIds: albums.public, profilePicIdsPrivate: albums.private, movedId }),
      ),
    mark: ({ id }, marks) =>
      void save(
        (pictures) => pictures.map((picture) => (picture.id === id ? withMarks(picture, marks) : picture)),
        () => mark.mutateAsync({ id, ...marks }),
      ),
    remove: ({ id }) =>
      void save(
        (pictures) => pictures.filter((picture) => picture.id !== id),
        () => remove.mutateAsync({ id }),
      ),
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
