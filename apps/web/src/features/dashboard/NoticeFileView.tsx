import type { DeskNoticeFile } from "@lambda/contract/notices";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { Skeleton } from "@lambda/ui/skeleton";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { QueryErrorState } from "../../components/QueryErrorState.tsx";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dateAndTime } from "../../format/time.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { NoticeDecision } from "./NoticeDecision.tsx";
import { noticeDeskCopy } from "./notice-copy.ts";

/** A notice as staff see it, with the actions they can take. */
export function NoticeFileView({ id }: { id: number }) {
  const copy = useCopy(noticeDeskCopy);
  const rules = useCopy(ruleCopy);
  const { failed } = useCopy(dashboardCopy);
  const query = trpc.noticeDesk.get.useQuery({ id }, { staleTime: 0 });
  if (query.isLoadingError) return <QueryErrorState title={failed} query={query} />;
  const { data: file } = query;
  if (!file) return <Skeleton shape="rows" count={4} label={copy.loading} />;
  return (
    <article className={css.file}>
      <h2>
        {file.ref}: {file.kind === "intimate" ? copy.kind.intimate : rules[file.category]}
      </h2>
      <NotifierLine file={file} />
      {file.disowned && <Banner tone="warn">{copy.disowned}</Banner>}
      <Statement title={copy.where} text={file.location} />
      <Statement title={copy.said} text={file.explanation} />
      {file.hasUpload && <p className={css.muted}>{copy.uploaded}</p>}
      {file.profileIds.length > 0 && (
        <p>
          {copy.profiles}:{" "}
          {file.profileIds.map((profileId) => (
            <Link key={profileId} href={`/dashboard?section=members&find=${profileId}`}>
              {profileId}{" "}
            </Link>
          ))}
        </p>
      )}
      <Pictures file={file} />
      <Correspondence file={file} />
      {file.reportId !== null && <p className={css.muted}>{copy.caseLine(file.reportId)}</p>}
      {file.reason !== "" && <Statement title={copy.decided} text={file.reason} />}
      <NoticeDecision file={file} />
    </article>
  );
}

function NotifierLine({ file }: { file: DeskNoticeFile }) {
  const copy = useCopy(noticeDeskCopy);
  const [locale] = useLocale();
  return (
    <p className={css.muted}>
      {file.name === "" ? copy.anonymous : file.name}
      {file.role && ` (${copy.roles[file.role]})`} · {dateAndTime(file.tsCreated, locale)}
      {file.email !== "" && (
        <>
          {" "}
          · {copy.reach} {file.email} {file.contact}
        </>
      )}
    </p>
  );
}

function Statement({ title, text }: { title: string; text: string }) {
  if (text === "") return null;
  return (
    <>
      <h3>{title}</h3>
      <blockquote className={css.statement}>{text}</blockquote>
    </>
  );
}

function Pictures({ file }: { file: DeskNoticeFile }) {
  const copy = useCopy(noticeDeskCopy);
  const [shownIds, setShownIds] = useState<readonly number[]>([]);
  return (
    <>
      <h3>{copy.pictures}</h3>
      {file.pictureList.length === 0 && <p className={css.muted}>{copy.noPicture}</p>}
      {file.pictureList.map(({ pictureId, profileId, profileName, state, atOnce, wasPublic, alike }) => (
        <div key={pictureId} className={css.statement}>
          <span>
            {copy.pictureLine(pictureId, profileName || String(profileId))} (
            <Link href={`/dashboard?section=members&find=${profileId}`}>{profileId}</Link>)
          </span>
          <small>
            {copy.pictureState[state]}
            {atOnce && `, ${copy.atOnce}`}
            {!wasPublic && `, ${copy.notPublic}`}
            {alike && `, ${copy.alike}`}
          </small>
          {shownIds.includes(pictureId) ? (
            <img src={`/api/notice-picture/${file.id}/${pictureId}`} alt="" className={css.picture} />
          ) : (
            state !== "deleted" && <Button onClick={() => setShownIds([...shownIds, pictureId])}>{copy.show}</Button>
          )}
        </div>
      ))}
    </>
  );
}

function Correspondence({ file }: { file: DeskNoticeFile }) {
  const copy = useCopy(noticeDeskCopy);
  return (
    <>
      {file.messages.length > 0 && <h3>{copy.questions}</h3>}
      {file.messages.map((message) => (
        <blockquote
          key={message.tsCreated + message.by}
          className={css.statement}
          data-other={message.by === "staff" || undefined}
        >
          {message.text}
          <small>{copy[message.by]}</small>
        </blockquote>
      ))}
      {file.counters.length > 0 && <h3>{copy.objections}</h3>}
      {file.counters.map((counter) => (
        <blockquote key={counter.profileId} className={css.statement}>
          {counter.text}
          {counter.result && <small>{copy.results[counter.result]}</small>}
        </blockquote>
      ))}
    </>
  );
}
