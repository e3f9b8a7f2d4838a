import { type RawBuilder, sql } from "kysely";
import { withdrawnByStay } from "../../members/travel/guard.ts";
import { isStillThere } from "../../social/messages/reportable.ts";

/**
 * Whether what an evidence row was frozen from is gone from where it was: a picture or voice introduction deleted, replaced or made private, a
 * message unsent. Its author's wish holds for jurors at once; staff keep the copy until the case and its appeal are over. A picture
 * that a notice withholds, that is held for what it resembles or whose owner is where it endangers them is withdrawn as well.
 */
export function isWithdrawn(evidence = "e"): RawBuilder<boolean> {
  const at = (column: string) => sql.ref(`${evidence}.${column}`);
  return sql<boolean>`case ${at("kind")}
    when 'picture' then not exists (select 1 from picture w where w.id = ${at("source_id")} and w.profile_id = ${at("author_id")}
      and w.audience = 'public' and w.version = ${at("body")} ->> '$.version' and w.hidden_by_staff not in (2, 3)
      and not exists (select 1 from notice_picture n where n.picture_id = w.id and n.state in ('hidden', 'removed')))
    when 'voice' then not exists (select 1 from profile_voice v where v.id = ${at("source_id")} and v.profile_id = ${at("author_id")}
      and v.audience = 'public' and not ${withdrawnByStay("v.profile_id")})
    when 'message' then not ${isStillThere(at("source_id"), at("withdrawn"))}
    else 0 end`;
}

/** What a juror may see of a case. */
export function shownToJurors(evidence = "e"): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${evidence}.staff_only`)} = 0 and not ${isWithdrawn(evidence)})`;
}
