/**
 * Serializes database values as JSON, followed by the raw bytes of pictures and recordings (Blob, ArrayBuffer,
 * Uint8Array).
 */
import type { Bytes } from "./bytes.ts";

const PART = "$part";

interface Part {
  readonly kind: "blob" | "buffer" | "bytes";
  readonly type: string;
  readonly length: number;
}

const HEADER_LENGTH_BYTES = 4;

export async function pack(value: unknown): Promise<Bytes> {
  const binaries: (Blob | ArrayBuffer | Uint8Array)[] = [];
  const replaced = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof Blob || inner instanceof ArrayBuffer || inner instanceof Uint8Array
      ? { [PART]: binaries.push(inner) - 1 }
      : inner,
  );
  const bodies = await Promise.all(
    binaries.map(async (part) => new Uint8Array(await new Response(part as BodyInit).arrayBuffer())),
  );
  const parts = binaries.map((part, index): Part => {
    const length = bodies[index]?.length ?? 0;
    if (part instanceof Blob) return { kind: "blob", type: part.type, length };
    return { kind: part instanceof ArrayBuffer ? "buffer" : "bytes", type: "", length };
  });
  const header = new TextEncoder().encode(JSON.stringify({ value: replaced ?? null, parts }));
  const packed = new Uint8Array(
    HEADER_LENGTH_BYTES + header.length + bodies.reduce((sum, { length }) => sum + length, 0),
  );
  new DataView(packed.buffer).setUint32(0, header.length);
  packed.set(header, HEADER_LENGTH_BYTES);
  let offset = HEADER_LENGTH_BYTES + header.length;
  for (const body of bodies) {
    packed.set(body, offset);
    offset += body.length;
  }
  return packed;
}

export function unpack(packed: Bytes): unknown {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  const header = JSON.parse(
    new TextDecoder().decode(packed.subarray(HEADER_LENGTH_BYTES, HEADER_LENGTH_BYTES + length)),
  ) as {
    value: string | null;
    parts: Part[];
  };
  let offset = HEADER_LENGTH_BYTES + length;
  const binaries = header.parts.map(({ kind, type, length: size }) => {
    const body = packed.slice(offset, offset + size);
    offset += size;
    return kind === "blob" ? new Blob([body], { type }) : kind === "buffer" ? body.buffer : body;
  });
  if (header.value === null) return undefined;
  return JSON.parse(header.value, (_key, inner: unknown) => {
    const index = (inner as Record<string, unknown> | null)?.[PART];
    return typeof index === "number" ? binaries[index] : inner;
  });
}
