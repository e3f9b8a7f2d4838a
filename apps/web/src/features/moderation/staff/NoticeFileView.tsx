import type { DeskNoticeFile } from "@lambda/contract/notices";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { Fragment } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import { useDashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";
import { MemberLink, OnDemand, Part, Statement } from "./file-parts.tsx";
import { NoticeDecision } from "./NoticeDecision.tsx";
import { useNoticeDeskCopy } from "./notice-copy.ts";

export function NoticeFileView({ id }: { id: number }) {
  const copy = useNoticeDeskCopy();
  const rules = useCopy(ruleCopy);
  const query = trpc.noticeDesk.get.useQuery({ id }, { staleTime: 0 });
  const { data: file } = query;
  if (!file) return <QueryState query={query} shape="rows" count={4} />;
  const written = (title: string, text: string) => (
    <Part title={title} items={text === "" ? [] : [text]}>
      {(item) => <Statement key={item} text={item} />}
    </Part>
  );
  return (
    <article className="stack gap-3">
      <h2>
        {file.ref}: {file.kind === "intimate" ? copy.kind.intimate : rules[file.category]}
      </h2>
      <p className="muted">
        {file.name === "" ? copy.anonymous : file.name}
        {file.role && ` (${copy.roles[file.role]})`} · {dateAndTime(file.tsCreated)}
        {file.email !== "" && ` · ${copy.reach} ${file.email} ${file.contact}`}
      </p>
      {file.disowned && <Banner tone="warn">{copy.disowned}</Banner>}
      {written(copy.where, file.location)}
      {written(copy.said, file.explanation)}
      {file.hasUpload && <p className="muted">{copy.uploaded}</p>}
      {file.profileIds.length > 0 && (
        <p>
          {copy.profiles}:{" "}
          {file.profileIds.map((profileId) => (
            <Fragment key={profileId}>
              <MemberLink id={profileId} />{" "}
            </Fragment>
          ))}
        </p>
      )}
      <Pictures file={file} />
      <Part title={copy.questions} items={file.messages}>
        {({ by, text, tsCreated }) => (
          <Statement key={tsCreated + by} text={text} note={copy[by]} other={by === "staff"} />
        )}
      </Part>
      <Part title={copy.objections} items={file.counters}>
        {({ profileId, text, result }) => (
          <Statement key={profileId} text={text} note={result && copy.results[result]} />
        )}
      </Part>
      {file.reportId !== null && <p className="muted">{copy.caseLine(file.reportId)}</p>}
      {written(copy.decided, file.reason)}
      <NoticeDecision file={file} />
    </article>
  );
}

function Pictures({ file }: { file: DeskNoticeFile }) {
  const copy = useNoticeDeskCopy();
  const { showPicture } = useDashboardCopy();
  return (
    <>
      <h3>{copy.pictures}</h3>
      {file.pictureList.length === 0 && <p className="muted">{copy.noPicture}</p>}
      {file.pictureList.map(({ pictureId, profileId, profileName, state, atOnce, wasPublic, alike }) => (
        <div key={pictureId} className={`stack gap-1 items-start quoted pre-line ${css.statement}`}>
          <span>
            {copy.pictureLine(pictureId, profileName || String(profileId))} (<MemberLink id={profileId} />)
          </span>
          <small>
            {copy.pictureState[state]}
            {atOnce && `, ${copy.atOnce}`}
            {!wasPublic && `, ${copy.notPublic}`}
            {alike && `, ${copy.alike}`}
          </small>
          {state !== "deleted" && (
            <OnDemand label={showPicture}>
              <img src={`/api/notice-picture/${file.id}/${pictureId}`} alt="" className={css.picture} />
            </OnDemand>
          )}
        </div>
      ))}
    </>
  );
}
