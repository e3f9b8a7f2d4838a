import { fetchWithDeadline } from "../../../../api/fetch-with-deadline.ts";

/** Calls the API of the friend's page. Throws the HTTP status, or 0 without a network. */
export async function callMeetApi<Output>(
  name: "read" | "subscribe" | "answer",
  body: object,
  signal?: AbortSignal,
): Promise<Output> {
  const response = await fetchWithDeadline(`/api/meet/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
    ...(signal && { signal }),
  }).catch(() => undefined);
  if (!response?.ok) throw response?.status ?? 0;
  return (await response.json()) as Output;
}
