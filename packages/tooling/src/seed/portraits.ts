/** Draws demo portraits as SVG: flat figures in evening light, no real people. The seed determines everything about a member's look. */
import { seededRandom } from "@lambda/testing/random";

export type Mood = "face" | "torso" | "scene";

const SKINS = [
  ["#f2c9a8", "#d99d78"],
  ["#e6b58f", "#c68b62"],
  ["#d59e72", "#ae744b"],
  ["#b97b4f", "#8f5934"],
  ["#8d5a3a", "#683f27"],
  ["#6a412b", "#4b2c1c"],
] as const;
const GREY = "#8d8a88";
/** Nobody is grey before, and hardly anybody is not from the second on. */
const GREY_YEARS = [42, 60] as const;
/** The first ones suit every skin tone, the later ones only lighter ones. */
const HAIRS = ["#1d1513", "#2c2a33", GREY, "#3a241a", "#5b3a24", "#8a5a2e", "#c29350", "#b8452b"] as const;
const SKIES = [
  ["#2b1a2f", "#b4533f", "#f2a65a"],
  ["#0f2430", "#2f6d78", "#9fd0c2"],
  ["#1c1a33", "#5a4b8a", "#d98fa0"],
  ["#20160f", "#7a4526", "#e0a458"],
  ["#142019", "#3f6b4a", "#c7c98a"],
  ["#241318", "#8a2f45", "#f0a08a"],
  ["#101820", "#34506b", "#c9b79c"],
] as const;
const CLOTHES = [
  "#2b3a42",
  "#7a2e2e",
  "#d8cfc0",
  "#1f1f24",
  "#4d5b3a",
  "#b0723a",
  "#31507a",
  "#e4e0da",
  "#5a3550",
] as const;

export function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** A member's appearance, determined by the seed. */
export interface Appearance {
  readonly skin: readonly [string, string];
  readonly hair: string;
  readonly cut: "bald" | "short" | "quiff" | "curls" | "long" | "cap";
  readonly beard: "none" | "stubble" | "full" | "moustache";
  readonly build: number;
  readonly glasses: boolean;
}

/** The same draws at each age, so that a member keeps everything but the color of the hair. */
function appearanceOf(seed: number, age: number): Appearance {
  const random = seededRandom(seed).next;
  const skin = pick(random, SKINS);
  const hairs = { 4: 3, 5: 3, 3: 5, 2: 6 }[SKINS.indexOf(skin)] ?? HAIRS.length;
  const drawn = pick(random, HAIRS.slice(0, hairs));
  return {
    skin,
    hair: age >= GREY_YEARS[1] ? GREY : drawn === GREY && age < GREY_YEARS[0] ? HAIRS[seed % 2]! : drawn,
    cut: pick(random, ["bald", "short", "short", "quiff", "quiff", "curls", "long", "cap"]),
    beard: pick(random, ["none", "stubble", "stubble", "full", "full", "moustache"]),
    build: 0.82 + random() * 0.5,
    glasses: random() < 0.18,
  };
}

/** An SVG of 800 x 1000 (the site's 4:5), of a man of `age` years. `shot` varies light, clothes and framing of the same person. */
export function portrait(seed: number, age: number, shot: number, mood: Mood): string {
  const appearance = appearanceOf(seed, age);
  const random = seededRandom(seed * 31 + shot * 7919 + 17).next;
  const sky = pick(random, SKIES);
  const cloth = mood === "torso" ? appearance.skin[0] : pick(random, CLOTHES);
  const zoom = mood === "face" ? 1.28 : mood === "torso" ? 0.86 : 0.62;
  const shift = (random() - 0.5) * (mood === "scene" ? 260 : 90);
  const top = mood === "face" ? 430 : mood === "torso" ? 300 : 470;
  const horizon = 560 + random() * 160;
  const tilt = (random() - 0.5) * 9;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="1000" viewBox="0 0 800 1000">
<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0.25" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset="0.62" stop-color="${sky[1]}"/><stop offset="1" stop-color="${sky[2]}"/></linearGradient>
<linearGradient id="skin" x1="0" y1="0" x2="1" y2="0.3"><stop offset="0.35" stop-color="${appearance.skin[0]}"/><stop offset="1" stop-color="${appearance.skin[1]}"/></linearGradient>
<radialGradient id="lamp" cx="${0.15 + random() * 0.7}" cy="${0.1 + random() * 0.35}" r="0.7"><stop offset="0" stop-color="#ffe6bf" stop-opacity="0.55"/><stop offset="1" stop-color="#ffe6bf" stop-opacity="0"/></radialGradient>
<linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0.55" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.38"/></linearGradient>
</defs>
<rect width="800" height="1000" fill="url(#sky)"/>${background(random, sky, horizon)}
<rect width="800" height="1000" fill="url(#lamp)"/>
<g transform="translate(${400 + shift} ${top}) rotate(${tilt}) scale(${zoom})">${figure(appearance, random, cloth, mood)}</g>
<rect width="800" height="1000" fill="url(#dusk)"/></svg>`;
}

function background(random: () => number, sky: readonly [string, string, string], horizon: number): string {
  const kind = Math.floor(random() * 4);
  const dark = sky[0];
  if (kind === 0) {
    const hills = [0.35, 0.6].map((opacity, layer) => {
      const y = horizon + layer * 90;
      return `<path d="M0 ${y} Q${150 + random() * 120} ${y - 90 - random() * 120} ${380 + random() * 60} ${y - 20} T800 ${y - 60 - random() * 60} V1000 H0Z" fill="${dark}" opacity="${opacity}"/>`;
    });
    return `<circle cx="${150 + random() * 500}" cy="${horizon - 130}" r="${50 + random() * 50}" fill="${sky[2]}" opacity="0.85"/>${hills.join("")}`;
  }
  if (kind === 1) {
    let towers = "";
    for (let x = -30; x < 800; x += 60 + random() * 50) {
      const height = 120 + random() * 320;
      const width = 50 + random() * 60;
      towers += `<rect x="${x}" y="${horizon + 120 - height}" width="${width}" height="${height + 400}" fill="${dark}" opacity="${0.35 + random() * 0.4}"/>`;
      for (let light = 0; light < 6; light += 1) {
        towers += `<rect x="${x + 8 + random() * (width - 20)}" y="${horizon + 130 - height + random() * height}" width="7" height="10" fill="#ffd9a0" opacity="${0.3 + random() * 0.5}"/>`;
      }
    }
    return towers;
  }
  if (kind === 2) {
    const blobs = Array.from({ length: 16 }, () => {
      return `<circle cx="${random() * 800}" cy="${random() * 800}" r="${18 + random() * 62}" fill="${random() < 0.5 ? sky[2] : "#ffe0b0"}" opacity="${0.06 + random() * 0.2}"/>`;
    });
    return blobs.join("");
  }
  const leaves = Array.from({ length: 13 }, () => {
    const x = random() < 0.5 ? random() * 200 : 600 + random() * 200;
    const y = 80 + random() * 820;
    return `<ellipse cx="${x}" cy="${y}" rx="${26 + random() * 30}" ry="${80 + random() * 90}" transform="rotate(${random() * 180} ${x} ${y})" fill="${dark}" opacity="${0.28 + random() * 0.35}"/>`;
  });
  return leaves.join("");
}

function figure(appearance: Appearance, random: () => number, cloth: string, mood: Mood): string {
  const { skin, hair, cut, beard, build, glasses } = appearance;
  const shoulder = 225 * build;
  const body = `<path d="M${-shoulder} 640 C${-shoulder - 15} 330 ${-shoulder + 25} 262 -78 232 L78 232 C${shoulder - 25} 262 ${shoulder + 15} 330 ${shoulder} 640 V1400 H${-shoulder}Z" fill="${mood === "torso" ? "url(#skin)" : cloth}"/>`;
  const neck = `<path d="M-72 120 V238 Q0 ${mood === "torso" ? 262 : 296} 72 238 V120Z" fill="${skin[1]}"/>`;
  const chest =
    mood === "torso"
      ? `<path d="M${-shoulder * 0.72} 420 Q${-shoulder * 0.36} 490 -6 425 M${shoulder * 0.72} 420 Q${shoulder * 0.36} 490 6 425 M0 420 V720" stroke="${skin[1]}" stroke-width="9" fill="none" stroke-linecap="round" opacity="0.75"/>${
          beard === "full"
            ? `<path d="M-90 330 Q0 400 90 330 Q60 470 0 560 Q-60 470 -90 330Z" fill="${hair}" opacity="0.22"/>`
            : ""
        }`
      : random() < 0.5
        ? `<path d="M-74 234 Q0 330 74 234 L96 250 Q0 380 -96 250Z" fill="#000" opacity="0.16"/>`
        : `<path d="M-78 232 L0 350 L78 232 M0 350 V700" stroke="#000" stroke-opacity="0.22" stroke-width="8" fill="none"/>`;
  const ears = `<ellipse cx="-128" cy="10" rx="24" ry="38" fill="${skin[1]}"/><ellipse cx="128" cy="10" rx="24" ry="38" fill="${skin[1]}"/>`;
  const head = `<path d="M-128 -40 C-132 -170 132 -170 128 -40 C130 90 92 186 0 190 C-92 186 -130 90 -128 -40Z" fill="url(#skin)"/>`;
  return [
    body,
    neck,
    chest,
    cut === "long"
      ? `<path d="M-150 -60 C-170 140 -140 240 -96 250 L96 250 C140 240 170 140 150 -60Z" fill="${hair}"/>`
      : "",
    ears,
    head,
    beardShape(beard, hair),
    face(skin, hair, beard, random),
    hairShape(cut, hair, random),
    glasses
      ? `<g fill="none" stroke="#15120f" stroke-width="7"><rect x="-92" y="-22" width="76" height="56" rx="22"/><rect x="16" y="-22" width="76" height="56" rx="22"/><path d="M-16 0 Q0 -10 16 0"/></g>`
      : "",
  ].join("");
}

function face(skin: readonly [string, string], hair: string, beard: Appearance["beard"], random: () => number): string {
  const smile = 10 + random() * 26;
  const lips = beard === "full" ? skin[0] : skin[1];
  const eye = (x: number) =>
    `<ellipse cx="${x}" cy="6" rx="20" ry="12" fill="#f8f1e8"/><circle cx="${x}" cy="6" r="10" fill="#2a1a14"/><path d="M${x - 26} -2 Q${x} -18 ${x + 26} -2" stroke="#1c1310" stroke-width="6" fill="none" stroke-linecap="round"/><path d="M${x - 30} -34 Q${x} -${50 + random() * 8} ${x + 30} -34" stroke="${hair}" stroke-width="13" fill="none" stroke-linecap="round"/>`;
  return `${eye(-54)}${eye(54)}<path d="M4 0 Q22 56 2 66 Q-12 68 -18 60" stroke="${skin[1]}" stroke-width="9" fill="none" stroke-linecap="round"/><path d="M-40 108 Q0 ${108 + smile} 40 108" stroke="${lips}" stroke-width="11" fill="none" stroke-linecap="round"/>`;
}

function beardShape(beard: Appearance["beard"], hair: string): string {
  const full =
    "M-127 10 C-128 120 -88 205 0 208 C88 205 128 120 127 10 C112 60 92 78 60 76 Q0 58 -60 76 C-92 78 -112 60 -127 10Z";
  if (beard === "full") return `<path d="${full}" fill="${hair}"/>`;
  if (beard === "stubble") return `<path d="${full}" fill="${hair}" opacity="0.28"/>`;
  if (beard === "moustache")
    return `<path d="M-58 96 Q-30 66 0 78 Q30 66 58 96 Q28 92 0 94 Q-28 92 -58 96Z" fill="${hair}"/>`;
  return "";
}

function hairShape(cut: Appearance["cut"], hair: string, random: () => number): string {
  if (cut === "bald") return "";
  if (cut === "cap") {
    return `<path d="M-140 -52 C-140 -190 140 -190 140 -52 Q0 -92 -140 -52Z" fill="${pick(random, CLOTHES)}"/><path d="M-40 -74 Q90 -96 190 -46 Q100 -50 -40 -46Z" fill="#000" opacity="0.5"/>`;
  }
  if (cut === "curls") {
    return Array.from({ length: 26 }, (_, index) => {
      const angle = Math.PI * (0.98 + (index / 25) * 1.04);
      return `<circle cx="${Math.cos(angle) * (112 + random() * 34)}" cy="${-36 + Math.sin(angle) * (96 + random() * 34)}" r="${28 + random() * 16}" fill="${hair}"/>`;
    }).join("");
  }
  if (cut === "quiff") {
    return `<path d="M-136 -14 C-146 -120 -96 -190 10 -206 C110 -214 170 -150 136 -14 C128 -74 108 -96 70 -104 C10 -112 -80 -86 -108 -70 C-124 -58 -130 -36 -136 -14Z" fill="${hair}"/>`;
  }
  return `<path d="M-134 -20 C-140 -176 140 -176 134 -20 C120 -84 96 -106 0 -108 C-96 -106 -120 -84 -134 -20Z" fill="${hair}"/>`;
}
