import type { ReactNode } from "react";
import css from "./figure.module.css";

export type FigureName = "window" | "lamp" | "hello" | "bench" | "cactus" | "plug";

/** Decorative illustrations for empty states, most with the same bearded man. */
export function Figure({ name }: { name: FigureName }) {
  return (
    <svg className={css.figure} viewBox="0 0 260 170" width="260" height="170" aria-hidden="true">
      {SCENES[name]}
    </svg>
  );
}

/** A bearded head looking right. The origin is the base of the neck, under the chin. */
function Head({ x, y, tilt = 0 }: { x: number; y: number; tilt?: number }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${tilt})`}>
      <path fill="#d8a17c" d="M-8-12H8V6H-8z" />
      <path fill="#d8a17c" d="M-18-28a19 19 0 0 1 38 0l4 8-4 2v4a17 17 0 0 1-34 0z" />
      <path fill="var(--hair)" d="M-18-22c4 4 8 4 10 1 4 4 8 5 14 4 5-1 9-2 14-1 1 12-6 24-18 24-13 0-20-12-20-28z" />
      <path fill="var(--hair)" d="M-19-20c-7-20 4-34 20-33 12 0 20 8 20 19-8 2-16 0-23-4 0 9-6 14-11 15 0 3-3 4-6 3z" />
      <circle fill="#20120c" cx="12" cy="-27" r="2.200" />
    </g>
  );
}

const SCENES: Record<FigureName, ReactNode> = {
  bench: (
    <>
      <ellipse fill="var(--tint)" cx="130" cy="152" rx="126" ry="13" />
      <path fill="var(--glow)" d="M46 42 4 150h92z" />
      <path className={css.ink} d="M22 151V40a13 13 0 0 1 26-2" />
      <path fill="var(--accent)" d="M36 38h24l-5 11H41z" />
      <path className={css.ink} d="M112 98V84M232 98V84M106 84h132M104 116h136M118 117v33M226 117v33" />
      <path fill="#4f6a8c" d="M142 104h56a10 10 0 0 1 10 10v34h-15v-26h-51z" />
      <path fill="var(--shoe)" d="M192 146h18l8 6h-26z" />
      <path fill="var(--accent)" d="M134 117c-6-34 0-58 22-59 21-1 31 22 29 59z" />
      <path className={css.sleeve} d="M168 74c8 14 12 24 30 32" />
      <circle fill="#d8a17c" cx="200" cy="107" r="6" />
      <Head x={160} y={58} tilt={-7} />
    </>
  ),
  lamp: (
    <>
      <ellipse fill="var(--tint)" cx="130" cy="152" rx="126" ry="13" />
      <path fill="var(--glow)" d="M126 44 58 151h142z" />
      <path className={css.ink} d="M70 152V36a18 18 0 0 1 36-4c2 6 8 8 16 8" />
      <path fill="var(--accent)" d="M112 38h30l-6 13h-18z" />
      <path
        className={css.cat}
        d="M128 152c-8-22-4-38 8-44l-4-18 9 7h10l9-7-1 16c12 8 18 22 14 46zM170 146c14 6 24 0 22-14-1-8 6-12 10-6"
      />
      <circle fill="var(--accent)" cx="140" cy="105" r="2.500" />
      <circle fill="var(--accent)" cx="152" cy="105" r="2.500" />
    </>
  ),
  window: (
    <>
      <path fill="var(--tint)" d="M84 10h164v142H84z" />
      <path className={css.paper} d="M106 26h120v96H106z" />
      <circle fill="var(--accent)" cx="200" cy="52" r="13" />
      <path fill="var(--far)" d="M107 121V98l22-16 20 14 26-22 32 26 18-10v31z" />
      <path className={css.ink} d="M106 26h120v96H106zM166 26v96M106 74h120M92 122h148" />
      <path fill="var(--accent)" d="M16 152c-4-46 12-72 40-73 28-1 44 26 46 73z" />
      <path className={css.sleeve} d="M78 104c10 12 20 17 34 18" />
      <circle fill="#d8a17c" cx="116" cy="121" r="6.500" />
      <Head x={57} y={80} tilt={2} />
    </>
  ),
  hello: (
    <>
      <ellipse fill="var(--tint)" cx="130" cy="152" rx="126" ry="13" />
      <path
        className={css.paper}
        d="M138 18h88a16 16 0 0 1 16 16v38a16 16 0 0 1-16 16h-58l-26 20 4-20h-8a16 16 0 0 1-16-16V34a16 16 0 0 1 16-16z"
      />
      <path className={css.ink} d="M142 46h74M142 62h40" />
      <path fill="var(--accent)" d="M22 153c-4-46 10-70 38-71 27-1 40 24 42 71z" />
      <path className={css.sleeve} d="M84 112c14 2 22-6 25-22" />
      <circle fill="#d8a17c" cx="110" cy="87" r="7" />
      <Head x={61} y={84} tilt={-5} />
    </>
  ),
  cactus: (
    <>
      <ellipse fill="var(--tint)" cx="130" cy="152" rx="126" ry="13" />
      <circle fill="var(--glow)" cx="210" cy="44" r="30" />
      <path
        fill="#5d8f5e"
        d="M152 152V40a16 16 0 0 1 32 0v46h8a9 9 0 0 0 9-9V62a9 9 0 0 1 18 0v15a27 27 0 0 1-27 27h-8v48zM152 118h-8a25 25 0 0 1-25-25V78a9 9 0 0 1 18 0v15a7 7 0 0 0 7 7h8z"
      />
      <path className={css.thorn} d="M168 42v8M168 66v8M168 90v8M168 114v8M168 136v6M128 80v6M210 66v6" />
      <path fill="#4f6a8c" d="M42 110h38l-2 40H64l-4-26-5 26H41z" />
      <path fill="var(--shoe)" d="M39 147h17v6H37zM63 147h16l5 6H63z" />
      <path fill="var(--accent)" d="M36 114c-5-34 3-54 24-55 21-1 28 20 25 55z" />
      <path className={css.sleeve} d="M76 76c12 6 18 14 20 26M44 76C34 86 32 96 38 104" />
      <circle fill="#d8a17c" cx="97" cy="106" r="6" />
      <Head x={61} y={60} tilt={3} />
    </>
  ),
  plug: (
    <>
      <ellipse fill="var(--tint)" cx="130" cy="152" rx="126" ry="13" />
      <path className={css.cord} d="M4 96c40 0 30 46 64 46 30 0 22-50 50-50" />
      <path className={css.cord} d="M256 62c-38 0-30 54-62 54" />
      <path fill="var(--accent)" d="M104 76h22v40h-22a20 20 0 0 1 0-40z" />
      <path className={css.ink} d="M127 86h15M127 106h15" />
      <path className={css.paper} d="M194 96h-12a20 20 0 0 0 0 40h12z" />
      <path className={css.ink} d="M158 66l5-15M178 70l11-12M140 64l-3-15" />
    </>
  ),
};
