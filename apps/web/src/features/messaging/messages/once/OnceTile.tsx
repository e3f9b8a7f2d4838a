import type { Message, MessageAttachment } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { useCallback, useState } from "react";
import { useCoveredPictures } from "../../../../components/covered-pictures.ts";
import { serverDate, serverNow } from "../../../../device/server-clock.ts";
import { currentLocale } from "../../../../format/i18n.ts";
import { clockTime } from "../../../../format/time.ts";
import { useOnceCopy } from "./copy.ts";
import OnceViewer from "./OnceViewer.tsx";
import css from "./once.module.css";

interface OnceTileProps {
  message: Message;
  once: Extract<MessageAttachment, { type: "once" }>;
  own: boolean;
  /** The reader has written to its sender. */
  isKnownSender: boolean;
  onDecline: (id: number) => void;
}

const formatDay = (iso: string) => new Date(iso).toLocaleDateString(currentLocale(), { day: "numeric", month: "long" });

/** A placeholder for an "open once" attachment: a cover with an Open button, then the time it was opened. */
export default function OnceTile({ message, once, own, isKnownSender, onDecline }: OnceTileProps) {
  const copy = useOnceCopy();
  const [isOpen, setOpen] = useState(false);
  const [openedAt, setOpenedAt] = useState<string>();
  const markOpened = useCallback(() => setOpenedAt(serverDate().toISOString()), []);
  const close = useCallback(() => setOpen(false), []);
  const tsOpened = once.tsOpened ?? openedAt;
  const isExpired = Date.parse(once.tsExpires) <= serverNow();
  return (
    <div className={`stack gap-2 items-center raised radius-2 muted type-mark text-center full-width ${css.tile}`}>
      <Icon name={tsOpened ? "eye" : "eye-off"} size={28} />
      <p className={`bold ${css.title}`}>{copy.titles[once.kind]}</p>
      {tsOpened ? (
        <p>{copy.opened(clockTime(tsOpened))}</p>
      ) : isExpired ? (
        <p>{copy.expired}</p>
      ) : own ? (
        <>
          <p>{copy.waits}</p>
          <p>{copy.goes(formatDay(once.tsExpires))}</p>
        </>
      ) : (
        <Offer
          message={message}
          once={once}
          isKnownSender={isKnownSender}
          onOpen={() => setOpen(true)}
          onDecline={onDecline}
        />
      )}
      {isOpen && <OnceViewer message={message} once={once} onOpened={markOpened} onClose={close} />}
    </div>
  );
}

interface OfferProps extends Pick<OnceTileProps, "message" | "once" | "isKnownSender" | "onDecline"> {
  onOpen: () => void;
}

function Offer({ message, once, isKnownSender, onOpen, onDecline }: OfferProps) {
  const copy = useOnceCopy();
  const { covered } = useCoveredPictures(`message ${message.id}`, isKnownSender);
  const isUnsolicited = once.kind === "picture" && covered && !isKnownSender;
  return (
    <>
      <p>{isUnsolicited ? copy.unasked : copy.hint}</p>
      <div className="wrap gap-2 justify-center">
        <Button label={copy.opens[once.kind]} onClick={onOpen} />
        {isUnsolicited && <Button variant="quiet" label={copy.decline} onClick={() => onDecline(message.id)} />}
      </div>
    </>
  );
}
