/** Picture files and their upload over HTTP. */
import type { OwnPicture } from "@lambda/contract/pictures";
import type { TestMember } from "./member.ts";
import { makePng } from "./png.ts";
import { retryOnce, type TestWorker } from "./worker.ts";

/** Converts a PNG to another format with the worker's own encoder. */
export async function encodeAs(
  worker: TestWorker,
  png: Uint8Array,
  format: "image/jpeg" | "image/webp",
): Promise<Buffer> {
  return retryOnce(async () => {
    const source = new Blob([Uint8Array.from(png)]).stream() as ReadableStream<Uint8Array>;
    const result = await worker.env.IMAGES.input(source).output({ format });
    return Buffer.from(await new Response(result.image()).arrayBuffer());
  });
}

export interface UploadOptions {
  readonly name?: string;
  readonly type?: string;
  readonly audience?: "public" | "private" | "chat" | "once";
  readonly nsfw?: boolean;
  readonly replaceId?: number;
  readonly authorProfileId?: number;
  readonly clientId?: string;
}

/** Uploads a picture as the browser does, and returns the response whatever its status. */
export function postPicture(member: TestMember, bytes: Uint8Array, options: UploadOptions = {}): Promise<Response> {
  const { name = "picture.png", type = "image/png", audience, nsfw, replaceId, clientId } = options;
  const form = new FormData();
  form.set("authorProfileId", String(options.authorProfileId ?? member.id));
  form.set("picfile", new File([Uint8Array.from(bytes)], name, { type }));
  form.set("picfilename", name);
  if (audience) form.set("audience", audience);
  if (nsfw) form.set("nsfw", "true");
  if (clientId) form.set("clientId", clientId);
  const query = replaceId === undefined ? "" : `?replace_id=${replaceId}`;
  return member.fetch(`/api/profile-pic${query}`, { method: "POST", body: form });
}

/** Uploads a picture and returns it; throws if the upload was refused. */
export async function uploadPicture(
  member: TestMember,
  options: UploadOptions & { readonly bytes?: Uint8Array } = {},
): Promise<OwnPicture> {
  const response = await postPicture(member, options.bytes ?? makePng(40, 50), options);
  if (response.status !== 201) throw new Error(`the upload returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as OwnPicture;
}
