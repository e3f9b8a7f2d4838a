import { Button } from "@lambda/ui/button";
import { useToast } from "@lambda/ui/toast";
import type { OwnPlan } from "../../device/device-keys.ts";
import { useCopy } from "../../format/i18n.ts";
import { meetsCopy } from "./copy.ts";
import css from "./meets.module.css";
import { planUrl } from "./plan-text.ts";

/** The link, ways to send it, and what its address reveals. */
export function SendLink({ plan }: { plan: OwnPlan }) {
  const copy = useCopy(meetsCopy);
  const friendsCopy = meetsCopy[plan.locale];
  const toast = useToast();
  const url = planUrl(plan.origin, plan, plan.locale);
  const { host } = new URL(plan.origin);
  const share = () =>
    navigator.share({ url, text: friendsCopy.message }).catch((error: Error) => {
      // Closing the system's share sheet is not an error.
      if (error.name !== "AbortError") toast({ text: copy.byHand, tone: "info" });
    });
  const copyLink = () =>
    navigator.clipboard.writeText(url).then(
      () => toast({ text: copy.copied, tone: "success" }),
      () => toast({ text: copy.byHand, tone: "info" }),
    );
  const canShare = "share" in navigator;
  return (
    <>
      <p className={css.link}>{url}</p>
      <div className={css.acts}>
        {canShare && (
          <Button variant="primary" icon="send" onClick={() => void share()}>
            {copy.share}
          </Button>
        )}
        <Button variant={canShare ? "secondary" : "primary"} icon="attach" onClick={() => void copyLink()}>
          {copy.copy}
        </Button>
      </div>
      <p className={css.note}>{plan.isNeutral ? copy.neutral(host) : copy.siteShown(host)}</p>
      <p className={css.note}>{copy.lost}</p>
    </>
  );
}
