import { BRANDS } from "@lambda/brands";
import { DISGUISE_IDS, DISGUISES } from "@lambda/contract/disguises";
import sharp from "sharp";
import type { Plugin } from "vite";

/** Width of the mark relative to the icon; the launcher's mask may cut off the outer fifth of a maskable icon. */
const MARK_SHARE = { any: 0.68, maskable: 0.5 };

/** @param glyph attributes of the path: its data and colors */
function iconSvg(background: string, glyph: string, purpose: keyof typeof MARK_SHARE): string {
  const side = 512;
  const mark = side * MARK_SHARE[purpose];
  const offset = (side - mark) / 2;
  const radius = purpose === "any" ? side * 0.22 : 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><rect width="${side}" height="${side}" rx="${radius}" fill="${background}"/><path transform="translate(${offset} ${offset}) scale(${mark / 24})" ${glyph}/></svg>`;
}

/** A disguise's glyph is drawn as an outline, like most built-in icons on phones. */
function findDrawing(id: string | undefined): { background: string; glyph: string } | undefined {
  const brand = BRANDS.find((candidate) => candidate.id === id);
  if (brand) return { background: brand.dark.surface, glyph: `fill="${brand.dark.accent}" d="${brand.mark}"` };
  const disguiseId = DISGUISE_IDS.find((candidate) => candidate === id);
  if (!disguiseId) return undefined;
  const { background, line, glyph } = DISGUISES[disguiseId];
  const stroke = `fill="none" stroke="${line}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"`;
  return { background, glyph: `${stroke} d="${glyph}"` };
}

async function makeIcon(name: string): Promise<Uint8Array | string | undefined> {
  const match = /^([a-z]+)(-maskable)?(?:-(192|512|180))?\.(svg|png)$/.exec(name);
  const drawing = findDrawing(match?.[1]);
  if (!match || !drawing) return undefined;
  // iOS rounds the corners itself and paints transparent corners black.
  const purpose = match[2] || match[3] === "180" ? "maskable" : "any";
  const svg = iconSvg(drawing.background, drawing.glyph, purpose);
  if (match[4] === "svg") return svg;
  return sharp(Buffer.from(svg)).resize(Number(match[3])).png({ compressionLevel: 9 }).toBuffer();
}

/** Renders the icons of every brand and disguise: /icons/<id>.svg and -180, -192, -512, -maskable-192 and -maskable-512.png. */
export function iconsPlugin(): Plugin {
  return {
    name: "lambda:icons",
    async generateBundle() {
      const names = [...BRANDS.map(({ id }) => id), ...DISGUISE_IDS].flatMap((id) => [
        `${id}.svg`,
        `${id}-180.png`,
        `${id}-192.png`,
        `${id}-512.png`,
        `${id}-maskable-192.png`,
        `${id}-maskable-512.png`,
      ]);
      for (const name of names) {
        const source = await makeIcon(name);
        if (source) this.emitFile({ type: "asset", fileName: `icons/${name}`, source });
      }
    },
    configureServer(server) {
      server.middlewares.use("/icons/", (request, response, next) => {
        makeIcon((request.url ?? "").slice(1).replace(/\?.*/, "")).then((icon) => {
          if (icon === undefined) return next();
          response.setHeader("content-type", typeof icon === "string" ? "image/svg+xml" : "image/png").end(icon);
        }, next);
      });
    },
  };
}
