import { type RawBuilder, sql } from "kysely";

/** The first public picture of a row `p` or `me` of profile, which stands for the member in lists; null without pictures. */
export function firstPictureOf(profile: "p" | "me"): RawBuilder<number | null> {
  return sql<number | null>`${sql.ref(`${profile}.pics_public`)} ->> 0`;
}
