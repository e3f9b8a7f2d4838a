import type { NotificationKind } from "@lambda/contract/notifications";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Icon, type IconName } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { ListRow } from "@lambda/ui/list-row";
import { Skeleton } from "@lambda/ui/skeleton";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { QueryErrorState } from "../../components/QueryErrorState.tsx";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dateAndTime } from "../../format/time.ts";
import { goTo } from "../../routing/navigation.ts";
import { useSession } from "../../session/session.ts";
import { notificationsCopy } from "./copy.ts";
import css from "./notifications.module.css";

const ICONS: Record<NotificationKind, IconName> = {
  match: "heart-filled",
  like: "heart",
  message: "chat",
  picture: "picture",
  crop: "crop",
  album: "unlock",
  report: "flag",
  appeal: "scales",
  jury: "scales",
  exposure: "health",
  reminder: "health",
  security: "lock",
  standing: "shield",
  game: "games",
};

/** The member's notifications. A click opens the notification's target and deletes it. */
export default function NotificationsScreen() {
  const copy = useCopy(notificationsCopy);
  const [locale] = useLocale();
  const { profileId } = useSession();
  const utils = trpc.useUtils();
  const [pageStarts, setPageStarts] = useState<number[]>([]);
  const pages = trpc.useQueries((queries) =>
    profileId === 0
      ? []
      : [undefined, ...pageStarts].map((beforeId) => queries.notifications.list({ id: profileId, beforeId })),
  );
  const remove = trpc.notifications.delete.useMutation({
    onSettled: () => {
      void utils.notifications.list.invalidate();
      void utils.accounts.session.invalidate();
    },
  });
  const deletedId = remove.isPending || remove.isSuccess ? Number(remove.variables?.id) : 0;
  const items = pages.flatMap((page) => page.data?.items ?? []).filter((item) => item.id !== deletedId);
  const lastPage = pages[pages.length - 1];

  if (!lastPage || (lastPage.isPending && items.length === 0))
    return <Skeleton shape="rows" count={6} label={copy.loading} />;
  if (lastPage.isError && items.length === 0)
    return <QueryErrorState title={copy.failed} retryLabel={copy.tryAgain} query={lastPage} />;
  if (items.length === 0) return <EmptyState figure="cactus" title={copy.none} text={copy.noneHint} />;
  const next = lastPage.data?.nextCursor;
  return (
    <div className={css.list}>
      {items.map(({ id, kind, bodyText, url, tsCreated }) => (
        <ListRow
          key={id}
          leading={<Icon name={ICONS[kind]} />}
          title={<span className={css.text}>{bodyText}</span>}
          text={dateAndTime(tsCreated, locale)}
          onClick={() => {
            remove.mutate({ id });
            if (url) goTo(url);
          }}
          actions={<IconButton icon="trash" label={copy.delete} onClick={() => remove.mutate({ id })} />}
        />
      ))}
      {next && (
        <div className={css.more}>
          <Button busy={lastPage.isFetching} onClick={() => setPageStarts([...pageStarts, next])}>
            {copy.more}
          </Button>
        </div>
      )}
    </div>
  );
}
