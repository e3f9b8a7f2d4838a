import { isolate } from "@lambda/contract/isolate";
import { CHAT_AVATAR_PX, PROFILE_CACHE_MS } from "@lambda/contract/limits";
import { NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import type { Notification } from "@lambda/contract/notifications";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { ListRow } from "@lambda/ui/list-row";
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useState } from "react";
import { errorCodeOf } from "../../api/error-body.ts";
import { type RouterOutputs, trpc } from "../../api/trpc.ts";
import { MemberAvatar } from "../../components/MemberAvatar.tsx";
import { Pages } from "../../components/Pages.tsx";
import { useFailureToast } from "../../components/use-failure-toast.ts";
import { displayName } from "../../format/display-name.ts";
import { useLocale } from "../../format/i18n.ts";
import { timeAgo } from "../../format/time.ts";
import { goTo } from "../../routing/navigation.ts";
import { useSession } from "../../session/session.ts";
import { useNotificationsCopy } from "./copy.ts";
import css from "./notifications.module.css";

/** The member's notifications. A click opens the notification's target and deletes it. */
export default function NotificationsScreen() {
  const copy = useNotificationsCopy();
  const { list, remove, clear } = useNotifications();
  return (
    <Pages
      query={list}
      failed={copy.failed}
      label={copy.loading}
      empty={<EmptyState figure="cactus" title={copy.none} text={copy.noneHint} />}
      more={{ ...(list.isFetchNextPageError && { label: copy.tryAgain }), className: "flex justify-center pad-4" }}
    >
      {(items) => (
        <div className={`centered ${css.list}`}>
          <div className={`flex ${css.clear}`}>
            <Button
              variant="quiet"
              icon="trash"
              busy={clear.isPending}
              label={copy.clear}
              onClick={() => clear.mutate(items)}
            />
          </div>
          <div className="edge-rows">
            {items.map((item) => (
              <NotificationRow key={item.id} item={item} onRemove={() => remove.mutate({ id: item.id })} />
            ))}
          </div>
        </div>
      )}
    </Pages>
  );
}

interface NotificationRowProps {
  item: Notification;
  onRemove: () => void;
}

/** With the face and name of the member to whom it leads, while they can be seen. */
function NotificationRow({ item: { kind, bodyText, url, aboutProfileId, tsCreated }, onRemove }: NotificationRowProps) {
  const copy = useNotificationsCopy();
  const { data: member } = trpc.profiles.get.useQuery(
    { id: aboutProfileId ?? 0 },
    { enabled: aboutProfileId !== null, staleTime: PROFILE_CACHE_MS },
  );
  return (
    <ListRow
      leading={
        member ? (
          <MemberAvatar name={member.profilename} picture={member.profilePicIds[0]} widthPx={CHAT_AVATAR_PX} />
        ) : (
          <Icon name={NOTIFICATION_KINDS[kind].icon} />
        )
      }
      title={<span className={css.text}>{bodyText}</span>}
      text={member && [isolate(displayName(member.profilename)), member.age].filter(Boolean).join(", ")}
      time={timeAgo(tsCreated)}
      dateTime={tsCreated}
      onClick={() => {
        onRemove();
        if (url) goTo(url);
      }}
      actions={<IconButton icon="trash" label={copy.delete} onClick={onRemove} />}
    />
  );
}

function useNotifications() {
  const showFailure = useFailureToast();
  const { profileId } = useSession();
  const [locale] = useLocale();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const queryKey = [...getQueryKey(trpc.notifications.list), "pages", profileId, locale];
  // Not removed from the cache alone, because a list that was read before a deletion may arrive after it.
  const [deletedIds, setDeletedIds] = useState<readonly number[]>([]);
  const list = useInfiniteQuery({
    queryKey,
    // tRPC's own hook needs an input named `cursor`; this API's is `beforeId`.
    queryFn: ({ pageParam }) => utils.client.notifications.list.query({ id: profileId, beforeId: pageParam, locale }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: profileId !== 0,
    select: (data) => without(data, deletedIds),
  });
  const onSettled = () => {
    void utils.notifications.list.invalidate();
    void utils.accounts.session.invalidate();
  };
  const remove = trpc.notifications.delete.useMutation({
    onMutate: ({ id }) => setDeletedIds((ids) => [...ids, Number(id)]),
    onSuccess: (_, { id }) =>
      queryClient.setQueryData<NotificationPages>(queryKey, (data) => data && without(data, [Number(id)])),
    onError: (error, { id }) => {
      if (isGone(error)) return;
      setDeletedIds((ids) => ids.filter((other) => other !== id));
      showFailure(error);
    },
    onSettled,
  });
  /** Deletes what is listed, not what has arrived unseen meanwhile. */
  const clear = useMutation({
    mutationFn: (shown: readonly { readonly id: number }[]) =>
      Promise.all(
        shown.map(({ id }) =>
          utils.client.notifications.delete.mutate({ id }).catch((error) => {
            if (!isGone(error)) throw error;
          }),
        ),
      ),
    onSuccess: (_, shown) => setDeletedIds((ids) => [...ids, ...shown.map(({ id }) => id)]),
    onError: showFailure,
    onSettled,
  });
  return { list, remove, clear };
}

/** Deleted on another device, by a press whose answer was lost, or not shown any more. */
const isGone = (error: unknown) => errorCodeOf(error) === "NOT_FOUND";

type NotificationPages = InfiniteData<RouterOutputs["notifications"]["list"]>;

const without = ({ pages, pageParams }: NotificationPages, ids: readonly number[]): NotificationPages => ({
  pages: pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.includes(id)) })),
  pageParams,
});
