/** A call of the friend's page. Rejects with the status, 0 where there is no network. */
export async function call<Answer>(name: "read" | "subscribe" | "answer", body: object): Promise<Answer> {
  const answer = await fetch(`/api/meet/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
  }).catch(() => undefined);
  if (!answer?.ok) throw answer?.status ?? 0;
  return (await answer.json()) as Answer;
}
