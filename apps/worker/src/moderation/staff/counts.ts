import type { Role } from "@lambda/contract/capabilities";
import type { MemberContext } from "../../platform/trpc.ts";

/** Counts the members and admins of this brand. Cheap at any size: reads a counter and the few admin rows. */
export async function countRoles(ctx: MemberContext): Promise<{ role: Role; count: number }[]> {
  const { users, admins } = await ctx.db
    .selectNoFrom((eb) => [
      eb.selectFrom("member_count").select("members").where("brand", "=", ctx.brand.bit).as("users"),
      eb
        .selectFrom("account")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("admin_brand", "is not", null)
        .where("admin_brand", "in", [ctx.brand.id, "*"])
        .where("ts_deleted", "is", null)
        .as("admins"),
    ])
    .executeTakeFirstOrThrow();
  return [
    { role: "USER", count: users ?? 0 },
    { role: "ADMIN", count: admins ?? 0 },
  ];
}
