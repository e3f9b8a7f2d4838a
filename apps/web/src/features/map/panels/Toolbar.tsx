import { TOOLBAR_LABELS_MS } from "@lambda/contract/limits";
import type { IconName } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { useEffect, useState } from "react";
import type { GeoUse } from "../../../device/device-keys.ts";
import { useCopy } from "../../../format/i18n.ts";
import { goTo } from "../../../routing/navigation.ts";
import { shownUse } from "../../position/machine.ts";
import { send, useReporting } from "../../position/reporter.ts";
import { mapCopy } from "../copy.ts";
import css from "./toolbar.module.css";

const MODE_ICONS: Record<GeoUse, IconName> = { random: "dice", override: "walk", device: "gps" };

export interface ToolbarProps {
  /** Brings the map to the own marker. */
  onMe: () => void;
  /** After a press on GPS the map goes where that finds the member. */
  onMode: (use: "override" | "device") => void;
  onPrecision: () => void;
}

/** The map's round buttons, within the thumb's reach. Their names show for 8 s after a press. */
export function Toolbar({ onMe, onMode, onPrecision }: ToolbarProps) {
  const copy = useCopy(mapCopy);
  const state = useReporting();
  const [pressed, setPressed] = useState(0);
  const use = shownUse(state);
  const hidden = state.hideWanted ?? state.hidden;
  const showLabel = pressed > 0;

  useEffect(() => {
    if (pressed === 0) return;
    const timer = setTimeout(() => setPressed(0), TOOLBAR_LABELS_MS);
    return () => clearTimeout(timer);
  }, [pressed]);

  const button = (act: () => void) => ({
    tone: "raised" as const,
    labelSide: "start" as const,
    showLabel,
    onClick: () => {
      setPressed((count) => count + 1);
      act();
    },
  });
  const switchMode = () => {
    const next = use === "override" ? "device" : "override";
    send({ type: next === "device" ? "gps" : "walk" });
    onMode(next);
  };
  return (
    <section className={css.toolbar} aria-label={copy.toolbar}>
      <IconButton
        {...button(() => send({ type: "hide", hide: !hidden }))}
        icon={hidden ? "eye-off" : "eye"}
        label={hidden ? copy.show : copy.hide}
        className={hidden ? css.off : undefined}
        disabled={!state.ready}
      />
      <IconButton {...button(onPrecision)} icon="shield" label={copy.privacy} />
      <IconButton {...button(() => goTo("/chat/broadcast"))} icon="broadcast" label={copy.chat} />
      <IconButton
        {...button(switchMode)}
        icon={MODE_ICONS[use]}
        label={copy.modes[use]}
        title={copy.modeHelp[use]}
        aria-description={copy.modeHelp[use]}
        className={use === "device" && !state.fix ? css.searching : undefined}
      />
      <IconButton {...button(onMe)} icon="me" label={copy.me} tone="accent" />
    </section>
  );
}
