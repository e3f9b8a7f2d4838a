import type { NotificationKind } from "@lambda/contract/notifications";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { ErrorState } from "@lambda/ui/error-state";
import { Icon, type IconName } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { ListRow } from "@lambda/ui/list-row";
import { Skeleton } from "@lambda/ui/skeleton";
import { useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
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

/** What happened while the member was away. A click goes where it points and deletes it. */
export default function NotificationsScreen() {
  const copy = useCopy(notificationsCopy);
  const [locale] = useLocale();
  const { profileId } = useSession();
  const utils = trpc.useUtils();
  const [before, setBefore] = useState<number[]>([]);
  const pages = trpc.useQueries((ask) =>
    profileId === 0
      ? []
      : [undefined, ...before].map((beforeId) => ask.notifications.list({ id: profileId, beforeId })),
  );
  const remove = trpc.notifications.delete.useMutation({
    onSettled: () => {
      void utils.notifications.list.invalidate();
      void utils.accounts.session.invalidate();
    },
  });
  const gone = remove.isPending || remove.isSuccess ? Number(remove.variables?.id) : 0;
  const items = pages.flatMap((page) => page.data?.items ?? []).filter((item) => item.id !== gone);
  const last = pages[pages.length - 1];

  if (!last || (last.isPending && items.length === 0)) return <Skeleton shape="rows" count={6} label={copy.loading} />;
  if (last.isError && items.length === 0) {
    return (
      <ErrorState
        title={copy.failed}
        text={errorText(last.error)}
        retryLabel={copy.tryAgain}
        onRetry={() => void last.refetch()}
      />
    );
  }
  if (items.length === 0) return <EmptyState figure="cactus" title={copy.none} text={copy.noneHint} />;
  const next = last.data?.nextCursor;
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
          <Button busy={last.isFetching} onClick={() => setBefore([...before, next])}>
            {copy.more}
          </Button>
        </div>
      )}
    </div>
  );
}
