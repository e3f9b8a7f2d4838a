import { Button } from "@lambda/ui/button";
import { useShareLink } from "../../../components/use-share-link.ts";
import type { OwnPlan } from "../../../device/device-keys.ts";
import { useCopy } from "../../../format/i18n.ts";
import { meetsCopy } from "./copy.ts";
import css from "./meets.module.css";
import { planUrl } from "./plan-text.ts";

export function SendLink({ plan }: { plan: OwnPlan }) {
  const copy = useCopy(meetsCopy);
  const friendsCopy = meetsCopy[plan.locale];
  const url = planUrl(plan.origin, plan, plan.locale);
  const { host } = new URL(plan.origin);
  const link = useShareLink(copy);
  return (
    <>
      <p className={`radius-2 type-mark break-anywhere ${css.link}`}>{url}</p>
      <div className={`wrap gap-2 ${css.acts}`}>
        {link.canShare && (
          <Button
            variant="primary"
            icon="send"
            label={copy.share}
            onClick={() => void link.share({ url, text: friendsCopy.message })}
          />
        )}
        <Button
          variant={link.canShare ? "secondary" : "primary"}
          icon="attach"
          label={copy.copy}
          onClick={() => void link.copy(url)}
        />
      </div>
      <p className="muted">{plan.isNeutral ? copy.neutral(host) : copy.siteShown(host)}</p>
      <p className="muted">{copy.lost}</p>
    </>
  );
}
