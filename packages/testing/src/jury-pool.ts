import { DAY_MS } from "@lambda/contract/limits";
import { insertMembers } from "./members.ts";
import type { RunSql } from "./sql.ts";

/**
 * Creates members of Ember who qualify as jurors: accounts from forty days to three years old, each on its own network
 * and in contact with a few others. The default count is enough for a jury.
 */
export async function createJuryPool(run: RunSql, count = 260, now = Date.now()): Promise<void> {
  const jurors = await insertMembers(
    run,
    Array.from({ length: count }, (_, index) => ({
      email: `juror-${index}@example.test`,
      name: `Juror ${index}`,
      birthdate: "1985-01-01",
      network: index,
      created: Math.floor(now - (40 + (index * 1000) / count) * DAY_MS),
      seen: now,
    })),
  );
  const ids = JSON.stringify(jurors.map(({ id }) => id));
  await run({
    query: `insert into conversation (profile_id, other_id, last_message_id)
      select a.value, b.value, 0 from json_each(?1) a join json_each(?1) b on b.key < 4 and b.key <> a.key`,
    values: [ids],
  });
}
