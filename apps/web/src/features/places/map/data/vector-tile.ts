/** A minimal encoder for vector tiles (MVT 2) that contain only lines. */

export interface TileLine {
  readonly kind: string;
  /** In tile units. */
  readonly points: readonly (readonly [number, number])[];
}

const MOVE_TO = 1;
const LINE_TO = 2;
const LINESTRING = 2;

export function encodeLines(layer: string, extent: number, lines: readonly TileLine[]): Uint8Array<ArrayBuffer> {
  if (lines.length === 0) return new Uint8Array();
  const kinds = [...new Set(lines.map((line) => line.kind))];
  const body = [
    ...varintField(15, 2),
    ...bytesField(1, text(layer)),
    ...lines.flatMap((line) =>
      bytesField(2, [
        ...bytesField(2, [0, kinds.indexOf(line.kind)]),
        ...varintField(3, LINESTRING),
        ...bytesField(4, geometry(line.points)),
      ]),
    ),
    ...bytesField(3, text("kind")),
    ...kinds.flatMap((kind) => bytesField(4, bytesField(1, text(kind)))),
    ...varintField(5, extent),
  ];
  return Uint8Array.from(bytesField(3, body));
}

function geometry(points: TileLine["points"]): number[] {
  const commands: number[] = [];
  let [x, y] = [0, 0];
  for (const [i, [nextX, nextY]] of points.entries()) {
    if (i === 0) commands.push(...varint((1 << 3) | MOVE_TO));
    if (i === 1) commands.push(...varint(((points.length - 1) << 3) | LINE_TO));
    commands.push(...varint(zigzag(nextX - x)), ...varint(zigzag(nextY - y)));
    [x, y] = [nextX, nextY];
  }
  return commands;
}

const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;

const text = (value: string): number[] => [...new TextEncoder().encode(value)];

function bytesField(field: number, bytes: readonly number[]): number[] {
  return [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes];
}

const varintField = (field: number, value: number): number[] => [...varint(field << 3), ...varint(value)];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}
