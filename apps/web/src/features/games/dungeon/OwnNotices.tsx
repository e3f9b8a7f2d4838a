import { TEXT_MAX_CHARS } from "@lambda/contract/limits";
import type { OwnNotice } from "@lambda/contract/notices";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextArea } from "@lambda/ui/text-area";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import css from "./dungeon.module.css";
import { ownNoticeCopy } from "./notice-copy.ts";

const OBJECTION_MIN_CHARS = 10;

/** Notices about the member's own pictures: their state, the reason, and the single objection the member has. */
export function OwnNotices() {
  const copy = useCopy(ownNoticeCopy);
  const { data } = trpc.notices.mine.useQuery();
  if (!data || data.items.length === 0) return null;
  return (
    <>
      <h2 className={css.heading}>{copy.heading}</h2>
      {data.items.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </>
  );
}

function NoticeCard({ notice }: { notice: OwnNotice }) {
  const copy = useCopy(ownNoticeCopy);
  const [locale] = useLocale();
  const { counter, state } = notice;
  const isInEffect = state === "hidden" || state === "removed";
  return (
    <article className={css.action} data-over={state === "cleared" || undefined}>
      <header>
        <h3>{copy.state[state]}</h3>
        <span className={css.muted}>
          {new Date(notice.tsDecided ?? notice.tsHidden).toLocaleDateString(locale, { dateStyle: "medium" })}
        </span>
      </header>
      {isInEffect && (
        <>
          <p>
            {notice.category === "intimate" ? copy.ground.intimate : copy.ground.other}{" "}
            {notice.category === "intimate" && state === "hidden" && copy.due}
          </p>
          <p className={css.muted}>
            {copy.pictures(notice.pictureIds.join(", "))}. {copy.scope} {copy.automated}
          </p>
        </>
      )}
      {notice.reason !== "" && (
        <dl className={css.facts}>
          <dt>{copy.reason}</dt>
          <dd>{notice.reason}</dd>
        </dl>
      )}
      {counter.tsCreated && counter.result === null && <Banner>{copy.waiting}</Banner>}
      {counter.result && (
        <Banner tone={counter.result === "upheld" ? "success" : "info"}>{copy[counter.result]}</Banner>
      )}
      {counter.allowed && <Objection id={notice.id} />}
    </article>
  );
}

function Objection({ id }: { id: number }) {
  const copy = useCopy(ownNoticeCopy);
  const utils = trpc.useUtils();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const counter = trpc.notices.counter.useMutation({ onSuccess: () => utils.notices.mine.invalidate() });
  if (!open) {
    return (
      <>
        <p className={css.muted}>{copy.redress}</p>
        <div>
          <Button onClick={() => setOpen(true)}>{copy.object}</Button>
        </div>
      </>
    );
  }
  return (
    <form
      className={css.objection}
      onSubmit={(event) => {
        event.preventDefault();
        counter.mutate({ id, text });
      }}
    >
      <TextArea
        label={copy.text}
        help={copy.help}
        value={text}
        max={TEXT_MAX_CHARS}
        error={counter.isError ? errorText(counter.error) : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={counter.isPending}
          disabled={text.trim().length < OBJECTION_MIN_CHARS || text.length > TEXT_MAX_CHARS}
        >
          {copy.send}
        </Button>
      </div>
    </form>
  );
}
