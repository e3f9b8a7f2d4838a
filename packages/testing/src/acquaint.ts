/** That each of some members wrote to each other once and both deleted it: nobody of them waits for an answer, and no history shows it. */
export function acquaintedSql(ids: readonly number[]): string {
  const members = ids.map((id) => `(${id})`).join(", ");
  return `with member(id) as (values ${members})
    insert into message (sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created, ts_delivered, ts_recipient_read,
      ts_sender_deleted, ts_recipient_deleted)
    select a.id, b.id, min(a.id, b.id), max(a.id, b.id), 'acquainted-' || b.id, 'ember', 1, 1, 1, 1, 1
    from member a join member b on b.id <> a.id`;
}
