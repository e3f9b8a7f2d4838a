const DAY_MS = 86_400_000;

/**
 * Statements that make members of Ember who may sit on juries: of all ages from forty days to three years, each from a network
 * of their own, each in touch with three others. Enough of them that a case gets a jury, with some to spare.
 */
export function juryPoolStatements(count = 260, now = Date.now()): string[] {
  const seen = now - (now % 900_000);
  const numbers = `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
  const mine = "email like 'juror-%@example.test'";
  return [
    `${numbers} insert into account (email, home_brand, network, ts_created)
      select 'juror-' || i || '@example.test', 'ember', i, ${now} - (40 + i * 1000 / ${count}) * ${DAY_MS} from n`,
    `insert into profile (id, profile_name, birthdate, shared_on, random_order, ts_seen, ts_updated)
      select id, 'Juror ' || id, '1985-01-01', 1, id, ${seen}, ${now} from account where ${mine}`,
    `insert into conversation (profile_id, other_id, last_message_id)
      select a.id, b.id, 0 from account a join account b on b.email like 'juror-%@example.test' and b.id <> a.id
      where a.email like 'juror-%@example.test' and b.id in (select id from account where ${mine} order by id limit 4)`,
  ];
}
