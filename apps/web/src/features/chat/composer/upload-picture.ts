import { apiFetch } from "../../../api/api-fetch.ts";

/** Uploads a picture that only messages carry; answers its id. Throws the server's refusal. */
export async function uploadChatPicture(authorProfileId: number, file: File): Promise<number> {
  const form = new FormData();
  form.set("authorProfileId", String(authorProfileId));
  form.set("audience", "chat");
  form.set("picfilename", file.name);
  form.set("picfile", file);
  const answer = await apiFetch("/api/profile-pic", { method: "POST", body: form });
  const { id } = (await answer.json()) as { id: number };
  return id;
}
