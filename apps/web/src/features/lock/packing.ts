/** Values of a database as bytes: JSON, with pictures and recordings (Blob, ArrayBuffer, Uint8Array) behind it as they are. */
import type { Bytes } from "./bytes.ts";

const PART = "$part";

interface Part {
  readonly kind: "blob" | "buffer" | "bytes";
  readonly type: string;
  readonly length: number;
}

const headLength = 4;

export async function pack(value: unknown): Promise<Bytes> {
  const found: (Blob | ArrayBuffer | Uint8Array)[] = [];
  const replaced = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof Blob || inner instanceof ArrayBuffer || inner instanceof Uint8Array
      ? { [PART]: found.push(inner) - 1 }
      : inner,
  );
  const bodies = await Promise.all(
    found.map(async (part) => new Uint8Array(await new Response(part as BodyInit).arrayBuffer())),
  );
  const parts = found.map((part, index): Part => {
    const length = bodies[index]?.length ?? 0;
    if (part instanceof Blob) return { kind: "blob", type: part.type, length };
    return { kind: part instanceof ArrayBuffer ? "buffer" : "bytes", type: "", length };
  });
  const head = new TextEncoder().encode(JSON.stringify({ value: replaced ?? null, parts }));
  const whole = new Uint8Array(headLength + head.length + bodies.reduce((sum, { length }) => sum + length, 0));
  new DataView(whole.buffer).setUint32(0, head.length);
  whole.set(head, headLength);
  let at = headLength + head.length;
  for (const body of bodies) {
    whole.set(body, at);
    at += body.length;
  }
  return whole;
}

export function unpack(whole: Bytes): unknown {
  const length = new DataView(whole.buffer, whole.byteOffset).getUint32(0);
  const head = JSON.parse(new TextDecoder().decode(whole.subarray(headLength, headLength + length))) as {
    value: string | null;
    parts: Part[];
  };
  let at = headLength + length;
  const found = head.parts.map(({ kind, type, length: size }) => {
    const body = whole.slice(at, at + size);
    at += size;
    return kind === "blob" ? new Blob([body], { type }) : kind === "buffer" ? body.buffer : body;
  });
  if (head.value === null) return undefined;
  return JSON.parse(head.value, (_key, inner: unknown) => {
    const index = (inner as Record<string, unknown> | null)?.[PART];
    return typeof index === "number" ? found[index] : inner;
  });
}
