import { NOTICE_COUNTER_MIN_CHARS } from "@lambda/contract/limits";
import type { OwnNotice } from "@lambda/contract/notices";
import { Banner } from "@lambda/ui/banner";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { currentLocale } from "../../../format/i18n.ts";
import { StatementForm } from "../layout/StatementForm.tsx";
import css from "./dungeon.module.css";
import { useOwnNoticeCopy } from "./notice-copy.ts";

/** Notices about the member's own pictures: their state, the reason, and the single objection the member has. */
export function OwnNotices() {
  const copy = useOwnNoticeCopy();
  const query = trpc.notices.mine.useQuery();
  if (!query.data) return query.error && <QueryState query={query} />;
  if (query.data.items.length === 0) return null;
  return (
    <>
      <h2 className="mt-4">{copy.heading}</h2>
      {query.data.items.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </>
  );
}

function NoticeCard({ notice }: { notice: OwnNotice }) {
  const copy = useOwnNoticeCopy();
  const { counter, state, tsViewed } = notice;
  const isInEffect = state === "hidden" || state === "removed";
  const formatDay = (iso: string) => new Date(iso).toLocaleDateString(currentLocale(), { dateStyle: "medium" });
  return (
    <article
      className={`stack gap-3 ruled ${css.action}`}
      data-over={state === "cleared" || state === "viewed" || undefined}
    >
      <header className="flex between align-baseline">
        <h3>{copy.state[state]}</h3>
        <span className="muted">{formatDay(notice.tsDecided ?? notice.tsHidden)}</span>
      </header>
      {(isInEffect || tsViewed) && (
        <p>
          {notice.category === "intimate" ? copy.ground.intimate : copy.ground.other}{" "}
          {notice.category === "intimate" && state === "hidden" && copy.due}
        </p>
      )}
      {tsViewed && <p>{copy.viewed(formatDay(tsViewed))}</p>}
      {isInEffect ? (
        <p className="muted">
          {copy.pictures(notice.pictureIds.join(", "))}. {copy.scope} {copy.automated}
        </p>
      ) : (
        tsViewed && <p className="muted">{copy.pictures(notice.pictureIds.join(", "))}</p>
      )}
      {notice.reason !== "" && (
        <dl className={`stack ${css.facts}`}>
          <dt className="muted">{copy.reason}</dt>
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
  const copy = useOwnNoticeCopy();
  const utils = trpc.useUtils();
  const counter = trpc.notices.counter.useMutation({ onSuccess: () => utils.notices.mine.invalidate() });
  return (
    <StatementForm
      intro={<p className="muted">{copy.redress}</p>}
      openLabel={copy.object}
      label={copy.text}
      help={copy.help}
      sendLabel={copy.send}
      minChars={NOTICE_COUNTER_MIN_CHARS}
      mutation={counter}
      onSend={(text) => counter.mutate({ id, text })}
    />
  );
}
