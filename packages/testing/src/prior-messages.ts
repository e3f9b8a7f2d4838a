import type { Statement } from "./sql.ts";

/**
 * Inserts one message between each two of the members, in both directions and deleted by both, so that none of them
 * counts as an opening and no history shows them.
 */
export function priorMessagesSql(ids: readonly number[]): string {
  const members = ids.map((id) => `(${id})`).join(", ");
  return `with member(id) as (values ${members})
    insert into message (sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created, ts_delivered, ts_recipient_read,
      ts_sender_deleted, ts_recipient_deleted)
    select a.id, b.id, min(a.id, b.id), max(a.id, b.id), 'acquainted-' || b.id, 'ember', 1, 1, 1, 1, 1
    from member a join member b on b.id <> a.id`;
}

/** Inserts only the message counts of each pair, whose messages would be in one of `databases` message databases. */
export function priorMessagesInDatabases(ids: readonly number[], databases: number): Statement[] {
  const members = ids.map((id) => `(${id})`).join(", ");
  const pairs = `with member(id) as (values ${members}),
    pair(low, high, shard) as (select a.id, b.id, (a.id + b.id) % ${databases} + 1 from member a join member b on b.id > a.id)`;
  return [
    {
      query: `${pairs} insert into message_pair (low_id, high_id, low_count, high_count, shard) select low, high, 1, 1, shard from pair`,
    },
    ...Array.from({ length: databases }, (_, index) => ({
      query: `${pairs} insert into message_pair (low_id, high_id, low_count, high_count, version, synced_version)
        select low, high, 1, 1, 1, 0 from pair where shard = ${index + 1}`,
      database: index + 1,
    })),
  ];
}
