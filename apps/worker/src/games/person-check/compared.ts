import { type RawBuilder, sql } from "kysely";
import { isOpen } from "../../pictures/hidden.ts";

/** Whether a row `pic` is a still of the check `k`, or a public picture as it was when they were handed in. */
export function isCompared(): RawBuilder<boolean> {
  return sql<boolean>`(pic.profile_id = k.profile_id and ${isOpen("pic")} and iif(pic.audience = 'once',
    exists (select 1 from json_each(k.stills) still where still.value = pic.id),
    pic.audience = 'public' and instr(k.compared, '"' || pic.id || ':' || pic.version || '"') > 0))`;
}
