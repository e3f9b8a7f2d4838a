import { type RawBuilder, sql } from "kysely";
import { stillExists } from "../../messaging/messages/reportable.ts";
import { isPublic } from "../../pictures/access.ts";
import { hiddenByNotice, isHiddenInPlace } from "../../pictures/hidden.ts";
import { withdrawnByStay } from "../../visibility/stays/stay-rules.ts";

/**
 * Whether the original of an `evidence e` row is gone: deleted, replaced, made private, unsent, hidden by a notice, held as
 * a known picture, or withdrawn by its owner's stay in a country that punishes. Jurors lose access at once; staff keep
 * the copy until the case is settled.
 */
export function isWithdrawn(): RawBuilder<boolean> {
  return sql<boolean>`case e.kind
    when 'picture' then not exists (select 1 from picture w where w.id = e.source_id and w.profile_id = e.author_id
      and ${isPublic("w")} and w.version = e.body ->> '$.version' and not ${isHiddenInPlace("w")}
      and not ${hiddenByNotice(sql.ref("w.id"))})
    when 'voice' then not exists (select 1 from profile_voice v where v.id = e.source_id and v.profile_id = e.author_id
      and ${isPublic("v")} and not ${withdrawnByStay("v.profile_id")})
    when 'message' then not ${stillExists(sql.ref("e.source_id"), sql.ref("e.withdrawn"))}
    else 0 end`;
}

export function isShownToJurors(): RawBuilder<boolean> {
  return sql<boolean>`(e.staff_only = 0 and not ${isWithdrawn()})`;
}
