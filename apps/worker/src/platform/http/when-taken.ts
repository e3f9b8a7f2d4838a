import { logFault } from "../log.ts";

/**
 * The same bytes, with `onTaken` called when the last of them has gone out, just before the end. It is not called when the download breaks
 * off, and its failure does not break a download that is whole.
 */
export function whenTaken(
  body: ReadableStream<Uint8Array> | Uint8Array,
  requestId: string,
  onTaken: () => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const source = body instanceof Uint8Array ? new Response(body as BodyInit).body! : body;
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      flush: async () => {
        await onTaken().catch((error) => logFault({ id: requestId, event: "body-taken" }, error));
      },
    }),
  );
}
