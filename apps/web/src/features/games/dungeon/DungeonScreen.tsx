import { NOTICE_COUNTER_MIN_CHARS } from "@lambda/contract/limits";
import type { OwnAction } from "@lambda/contract/moderation";
import type { OwnNotice } from "@lambda/contract/notices";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { statementParts } from "@lambda/contract/statement";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Fragment } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { TableHead } from "../../../components/TableHead.tsx";
import { refreshAfter } from "../../../components/use-action.ts";
import { currentLocale, useCopy, useLocale } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import { AppealForm } from "../arbitration/AppealForm.tsx";
import { useAppealCopy } from "../arbitration/appeal-copy.ts";
import { useGamesCopy } from "../copy.ts";
import { GameIllustration } from "../layout/GameIllustration.tsx";
import { StatementForm } from "../layout/StatementForm.tsx";
import { useDungeonCopy } from "./copy.ts";
import css from "./dungeon.module.css";
import { useOwnNoticeCopy } from "./notice-copy.ts";

const formatDay = (iso: string) => new Date(iso).toLocaleDateString(currentLocale(), { dateStyle: "medium" });

/** The member's own record: status, actions against them, and appeals. Suspended members can open it too. */
export default function DungeonScreen() {
  const copy = useDungeonCopy();
  const texts = useGamesCopy();
  const ownRecord = trpc.moderation.ownRecord.useQuery();
  const { data } = ownRecord;
  if (!data)
    return <QueryState query={ownRecord} failed={texts.failed} height="50dvh" width="100%" label={texts.loading} />;
  const until = data.until ? dateAndTime(data.until) : "";
  return (
    <div className="stack gap-3 centered narrow mt-2">
      <section className={`stack gap-4 pad-4 raised radius-3 ${css.door}`}>
        <GameIllustration game="dungeon" height="8rem" />
        <div>
          <h2>
            {data.status === "banned"
              ? copy.banned
              : data.status === "suspended"
                ? copy.suspended(until)
                : data.actions.length === 0
                  ? copy.clean
                  : copy.active}
          </h2>
          {data.actions.length === 0 && <p>{copy.cleanText}</p>}
        </div>
      </section>
      <OwnNotices />
      {data.actions.length > 0 && <h2 className="mt-4">{copy.actions}</h2>}
      {data.actions.map((action) => (
        <Action key={action.id} action={action} />
      ))}
      {/* How often each kind of action was taken on this brand, without names. */}
      <h2 className="mt-4">{copy.totals}</h2>
      <p className="muted">{copy.totalsText}</p>
      <table className="table">
        <TableHead columns={[copy.kind, copy.standing, copy.liftedCount]} />
        <tbody>
          {data.totals.map((row) => (
            <tr key={row.kind}>
              <th scope="row">{copy[row.kind]}</th>
              <td>{row.active}</td>
              <td>{row.lifted}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Action({ action }: { action: OwnAction }) {
  const copy = useDungeonCopy();
  const appealTexts = useAppealCopy();
  const rules = useCopy(ruleCopy);
  const utils = trpc.useUtils();
  const [locale] = useLocale();
  const { appeal } = action;
  const statement = statementParts(
    {
      ...action,
      until: action.tsUntil && formatDay(action.tsUntil),
      appealUntil: action.tsAppealUntil && formatDay(action.tsAppealUntil),
    },
    rules[action.rule],
    locale,
  );
  return (
    <article className={`stack gap-3 ruled ${css.action}`} data-over={action.tsLifted !== null || undefined}>
      <header className="flex between align-baseline">
        <h3>{copy[action.kind]}</h3>
        <span className="muted">{action.liftedBy ? copy.lifted[action.liftedBy] : formatDay(action.tsCreated)}</span>
      </header>
      <dl className={`stack ${css.facts}`}>
        {statement.map(({ heading, text }) => (
          <Fragment key={heading}>
            <dt className="muted">{heading}</dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
        {action.evidence.length > 0 && (
          <>
            <dt className="muted">{copy.evidence}</dt>
            <dd>
              <Evidence items={action.evidence} />
            </dd>
          </>
        )}
      </dl>
      {appeal.pending && <Banner>{appealTexts.appealPending}</Banner>}
      {appeal.result && (
        <Banner tone={appeal.result === "reversed" ? "success" : "info"}>{appealTexts[appeal.result]}</Banner>
      )}
      {appeal.allowed && action.reportId !== null && (
        <AppealForm reportId={action.reportId} refresh={() => utils.moderation.ownRecord.invalidate()} />
      )}
      <Button variant="quiet" href={`/transparency?case=${action.caseRef}`} label={appealTexts.verify} />
    </article>
  );
}

function Evidence({ items }: { items: OwnAction["evidence"] }) {
  const copy = useDungeonCopy();
  return items.map(({ kind, text }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: frozen evidence never changes its order
    <p key={index}>{kind === "picture" || kind === "voice" ? copy[kind] : text === "" ? copy.message : `“${text}”`}</p>
  ));
}

/** Notices about the member's own pictures: their state, the reason, and the single objection the member has. */
function OwnNotices() {
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
  const counter = trpc.notices.counter.useMutation({ onSettled: refreshAfter(() => utils.notices.mine.invalidate()) });
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
