import type { ReactNode, SVGProps } from "react";
import css from "./game-illustration.module.css";

interface PersonProps extends Pick<SVGProps<SVGGElement>, "className" | "fill"> {
  x: number;
  y: number;
  size: number;
}

function Person({ x, y, size, ...look }: PersonProps) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`} {...look}>
      <circle cx="0" cy="-22" r="16" />
      <path d="M-30 34c0-22 12-34 30-34s30 12 30 34z" />
    </g>
  );
}

/** By game, in display order. */
const SCENES = {
  // A face that is half machine.
  gptbuster: (
    <>
      <path fill="var(--shade)" d="M40 200c4-40 28-58 60-58s56 18 60 58z" />
      <path fill="var(--skin)" d="M100 30c-28 0-46 20-46 50 0 34 20 58 46 58z" />
      <path fill="var(--accent)" d="M100 30h36a10 10 0 0 1 10 10v76a22 22 0 0 1-22 22h-24z" />
      <path className={css.ink} d="M74 82h12M78 112c6 5 14 7 22 7M100 119h24M108 119v-8M116 119v-8M124 119v-8" />
      <circle fill="var(--surface)" cx="122" cy="80" r="11" />
      <circle fill="var(--text)" cx="122" cy="80" r="4" />
      <path className={css.line} d="M124 30V14M100 30v108" />
      <circle fill="var(--accent)" cx="124" cy="11" r="6" />
      <path className={css.line} d="M54 66c2-24 18-38 46-36-8 12-26 22-46 36z" />
    </>
  ),
  // A bug jumping between two people.
  cooties: (
    <>
      <Person x={46} y={150} size={1.35} fill="var(--shade)" />
      <Person x={158} y={150} size={1.35} fill="var(--skin)" />
      <path className={css.dash} d="M56 84C74 40 126 34 150 82" />
      <g transform="translate(102 56) rotate(-12)">
        <path
          className={css.line}
          d="M-24-8-36-16M-26 4h-14M-22 14l-12 9M24-8l12-8M26 4h14M22 14l12 9M-8-20l-6-13M8-20l6-13"
        />
        <ellipse fill="var(--accent)" cx="0" cy="3" rx="25" ry="22" />
        <path className={css.ink} d="M0-18v42" />
        <circle fill="var(--surface)" cx="-9" cy="-5" r="4" />
        <circle fill="var(--surface)" cx="9" cy="-5" r="4" />
      </g>
    </>
  ),
  hotornot: (
    <>
      <g transform="rotate(-14 74 120)">
        <rect fill="var(--shade)" x="34" y="52" width="82" height="112" rx="10" />
        <path className={css.line} d="m58 92 34 34M92 92l-34 34" />
      </g>
      <g transform="rotate(10 126 118)">
        <rect fill="var(--skin)" x="86" y="44" width="86" height="118" rx="10" />
        <path
          fill="var(--accent)"
          d="M132 62c6 15-3 23-10 33-6 9-13 15-13 27a22 22 0 0 0 44 0c0-11-5-18-9-23-1 7-4 11-8 13 3-16 8-34-4-50Z"
        />
        <path fill="var(--text)" d="M130 118c5 6 9 9 9 15a9 9 0 0 1-18 0c0-6 5-9 9-15Z" />
      </g>
    </>
  ),
  // A gauge from safe to explicit.
  ratinggame: (
    <>
      <path className={css.band} d="M28 132a72 72 0 0 1 21-51" style={{ opacity: 0.35 }} />
      <path className={css.band} d="M55 76a72 72 0 0 1 41-16" style={{ opacity: 0.55 }} />
      <path className={css.band} d="M104 60a72 72 0 0 1 41 16" style={{ opacity: 0.8 }} />
      <path className={css.band} d="M151 81a72 72 0 0 1 21 51" />
      <path className={css.line} d="M100 134 138 92" />
      <circle fill="var(--skin)" cx="100" cy="134" r="13" />
      <path fill="var(--shade)" d="M64 164h72v14H64z" />
      <path className={css.ink} d="M72 171h20M100 171h8M116 171h12" />
    </>
  ),
  // A crop frame inside a picture.
  photocrop: (
    <>
      <rect fill="var(--shade)" x="16" y="44" width="168" height="122" rx="8" />
      <path fill="var(--deep)" d="M16 140c28-26 46-18 66-34s52-18 102 14v38a8 8 0 0 1-8 8H24a8 8 0 0 1-8-8z" />
      <circle fill="var(--text)" cx="48" cy="74" r="12" />
      <Person x={132} y={132} size={0.9} fill="var(--skin)" />
      <rect className={css.frame} x="96" y="54" width="72" height="90" />
      <path className={css.corner} d="M90 70V48h22M174 70V48h-22M90 128v22h22M174 128v22h-22" />
    </>
  ),
  identify: (
    <>
      <Person x={40} y={152} size={1.15} fill="var(--shade)" />
      <Person x={160} y={152} size={1.15} fill="var(--shade)" />
      <Person x={100} y={158} size={1.3} fill="var(--skin)" />
      <path className={css.band} d="M100 22a36 36 0 1 1-31 18" />
      <path className={css.numeral} d="M90 46c2-7 19-8 20 2 0 7-7 9-11 9 5 0 13 2 13 10 0 11-20 12-23 2" />
    </>
  ),
  // A person beside a picture.
  ishim: (
    <>
      <rect fill="var(--shade)" x="14" y="30" width="84" height="120" rx="8" />
      <Person x={56} y={114} size={0.95} fill="var(--skin)" />
      <Person x={146} y={132} size={1.25} fill="var(--skin)" />
      <path className={css.line} d="M84 170h32M100 154v32" />
      <rect fill="var(--text)" x="122" y="150" width="48" height="26" />
    </>
  ),
  // A dungeon door with a heart-shaped lock.
  dungeon: (
    <>
      <path fill="var(--shade)" d="M44 178V92a56 56 0 0 1 112 0v86z" />
      <path fill="var(--deep)" d="M60 178V94a40 40 0 0 1 80 0v84z" />
      <path className={css.bars} d="M80 62v116M100 54v124M120 62v116M60 104h80M60 146h80" />
      <path fill="var(--accent)" d="M100 150c-16-11-24-19-24-29a13 13 0 0 1 24-7 13 13 0 0 1 24 7c0 10-8 18-24 29z" />
      <path className={css.ink} d="M100 122v12" />
      <path className={css.line} d="M22 100v44M178 100v44" />
      <path fill="var(--accent)" d="M22 76c8 10 8 22 0 26-8-4-8-16 0-26ZM178 76c8 10 8 22 0 26-8-4-8-16 0-26Z" />
    </>
  ),
  // An anonymous letter.
  health: (
    <>
      <path className={css.dash} d="M22 168c26 10 30-26 52-28" />
      <g transform="rotate(-8 112 98)">
        <rect fill="var(--skin)" x="50" y="52" width="126" height="88" rx="8" />
        <path className={css.line} d="m54 58 59 46 59-46" />
        <circle fill="var(--accent)" cx="113" cy="112" r="22" />
        <path className={css.plus} d="M113 101v22M102 112h22" />
      </g>
      <Person x={36} y={92} size={0.62} className={css.ghost} />
    </>
  ),
  arbitration: (
    <>
      <path className={css.line} d="M100 36v104M48 62h104M74 142h52" />
      <circle fill="var(--accent)" cx="100" cy="36" r="9" />
      <path className={css.line} d="M48 62 28 102M48 62l20 40M152 62l-20 40M152 62l20 40" />
      <path fill="var(--skin)" d="M22 102h52a26 22 0 0 1-52 0z" />
      <path fill="var(--accent)" d="M126 102h52a26 22 0 0 1-52 0z" />
      {[32, 66, 100, 134, 168].map((x) => (
        <Person key={x} x={x} y={176} size={0.42} fill="var(--shade)" />
      ))}
    </>
  ),
} satisfies Record<string, ReactNode>;

export type GameName = keyof typeof SCENES;
export const GAMES = Object.keys(SCENES) as GameName[];

/** A game's illustration in the brand's colors. Decorative, so hidden from screen readers. */
export function GameIllustration({ game, height = "100%" }: { game: GameName; height?: string }) {
  return (
    <svg
      viewBox="0 0 200 190"
      className={`full-width ${css.drawing}`}
      style={{ height }}
      aria-hidden="true"
      preserveAspectRatio="xMidYMid meet"
    >
      {SCENES[game]}
    </svg>
  );
}
