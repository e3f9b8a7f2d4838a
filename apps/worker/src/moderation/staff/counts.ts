import type { Role } from "@lambda/contract/capabilities";
import { sql } from "kysely";
import type { MemberContext } from "../../platform/trpc.ts";

/** Members and admins of the asking brand. Reads one counter and the few admins, whatever the size of the community. */
export async function countRoles(ctx: MemberContext): Promise<{ role: Role; count: number }[]> {
  const { rows } = await sql<{ users: number; admins: number }>`
    select coalesce((select members from member_count where brand = ${ctx.brand.bit}), 0) as users,
      (select count(*) from account where admin_brand is not null and admin_brand in (${ctx.brand.id}, '*') and ts_deleted is null) as admins`.execute(
    ctx.db,
  );
  return [
    { role: "USER", count: rows[0]?.users ?? 0 },
    { role: "ADMIN", count: rows[0]?.admins ?? 0 },
  ];
}
