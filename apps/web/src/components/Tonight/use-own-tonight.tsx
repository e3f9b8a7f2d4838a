import { TILES_REFETCH_MS } from "@lambda/contract/limits";
import { useState } from "react";
import { createPortal } from "react-dom";
import { trpc } from "../../api/trpc.ts";
import { serverNow } from "../../device/server-clock.ts";
import { lazyPart } from "../../routing/lazy-part.tsx";
import { useEver } from "../use-ever.ts";
import { useTonightCopy } from "./copy.ts";
import { dayPart } from "./day-part.ts";
import { useTonightText } from "./use-tonight.ts";

const TonightSheet = lazyPart(() => import("./TonightSheet.tsx"));

/** The viewer's own night out, and the sheet that changes it. `text` is what others read; undefined while the member is not out. */
export function useOwnTonight() {
  const copy = useTonightCopy();
  const { data: plan = null } = trpc.tonight.mine.useQuery(undefined, { refetchInterval: TILES_REFETCH_MS });
  const text = useTonightText(plan);
  const [isOpen, setOpen] = useState(false);
  const isLoaded = useEver(isOpen);
  return {
    text,
    label: copy.title[dayPart(serverNow())],
    openSheet: () => setOpen(true),
    sheet:
      isLoaded &&
      createPortal(
        <TonightSheet open={isOpen} plan={text === undefined ? null : plan} onClose={() => setOpen(false)} />,
        document.body,
      ),
  };
}
