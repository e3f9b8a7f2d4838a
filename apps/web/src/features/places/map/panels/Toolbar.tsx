import { DAY_MS, MESSAGES_PAGE_SIZE, TILES_REFETCH_MS, TOOLBAR_LABELS_MS } from "@lambda/contract/limits";
import { IconButton } from "@lambda/ui/icon-button";
import { useEffect, useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { MAP_VISITS } from "../../../../device/device-keys.ts";
import { readDeviceValue, writeDeviceValue } from "../../../../device/device-storage.ts";
import { serverNow } from "../../../../device/server-clock.ts";
import { goTo } from "../../../../routing/navigation.ts";
import { useSession } from "../../../../session/session.ts";
import { useHide } from "../../positions/HideSheet.tsx";
import { displayedSource } from "../../positions/machine.ts";
import { useReporting } from "../../positions/reporter.ts";
import { useMapCopy } from "../copy.ts";
import css from "./panels.module.css";

export interface ToolbarProps {
  /** Without a map there is nothing to center. */
  isMapDrawn: boolean;
  onGoToMe: () => void;
}

const VISITS_WITH_LABELS = 3;

/** The three round buttons on the map, within thumb's reach: Hide, Chat and Me. Their labels show for a few seconds after a press, and at the first visits. */
export function Toolbar({ isMapDrawn, onGoToMe }: ToolbarProps) {
  const copy = useMapCopy();
  const state = useReporting();
  const [visits] = useState(() => readDeviceValue(MAP_VISITS));
  const [pressed, setPressed] = useState(visits < VISITS_WITH_LABELS ? 1 : 0);
  const { hidden, isPending, press: pressEye, sheet: hideSheet } = useHide("once");
  const isDiscreet = useSession().context?.discreet === true && !hidden;
  const posts = usePostsToday(state.isReady && !hidden);
  const showLabel = pressed > 0;

  useEffect(() => {
    if (visits < VISITS_WITH_LABELS) writeDeviceValue(MAP_VISITS, visits + 1);
  }, [visits]);
  useEffect(() => {
    if (pressed === 0) return;
    const timer = setTimeout(() => setPressed(0), TOOLBAR_LABELS_MS);
    return () => clearTimeout(timer);
  }, [pressed]);

  const button = (onPress: () => void) => ({
    tone: "raised" as const,
    showLabel,
    onClick: () => {
      setPressed((count) => count + 1);
      onPress();
    },
  });
  const isSearching = displayedSource(state) === "device" && !state.fix;
  return (
    <section className={isMapDrawn ? `column gap-2 ${css.toolbar}` : "row gap-2 wrap"} aria-label={copy.toolbar}>
      <IconButton
        {...button(pressEye)}
        icon={hidden ? "eye-off" : "eye"}
        label={hidden ? copy.show : copy.hide}
        {...(isDiscreet && { title: copy.discreet, "aria-description": copy.discreet })}
        aria-busy={isPending || undefined}
        className={isPending ? css.searching : hidden || isDiscreet ? css.off : undefined}
        disabled={!state.isReady}
      />
      {hideSheet}
      <IconButton
        {...button(() => goTo("/chat/broadcast"))}
        icon="broadcast"
        label={copy.chat}
        badge={posts}
        badgeMax={MESSAGES_PAGE_SIZE - 1}
        badgeLabel={copy.posts(posts)}
      />
      {isMapDrawn && (
        <IconButton
          {...button(onGoToMe)}
          icon="me"
          label={copy.me}
          tone="accent"
          className={isSearching ? css.searching : undefined}
        />
      )}
    </section>
  );
}

/** How many messages of the last day the first page of the map chat has from others. */
function usePostsToday(enabled: boolean): number {
  const { profileId } = useSession();
  const { data } = trpc.messages.area.useQuery({}, { enabled, staleTime: TILES_REFETCH_MS });
  const isNew = (post: { senderProfileId: number; tsCreated: string }) =>
    post.senderProfileId !== profileId && serverNow() - Date.parse(post.tsCreated) < DAY_MS;
  return data?.items.filter(isNew).length ?? 0;
}
