import { BRANDS, type Brand } from "@lambda/brands";
import { DISGUISE_IDS, DISGUISES, type Disguise } from "@lambda/contract/disguises";
import sharp from "sharp";
import type { Plugin } from "vite";

/** Share of the side that the mark takes; a maskable icon may lose its outer fifth to the launcher's mask. */
const MARK_SHARE = { any: 0.68, maskable: 0.5 };

function iconSvg(brand: Brand, purpose: keyof typeof MARK_SHARE): string {
  const side = 512;
  const mark = side * MARK_SHARE[purpose];
  const offset = (side - mark) / 2;
  const radius = purpose === "any" ? side * 0.22 : 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><rect width="${side}" height="${side}" rx="${radius}" fill="${brand.dark.surface}"/><path transform="translate(${offset} ${offset}) scale(${mark / 24})" fill="${brand.dark.accent}" d="${brand.mark}"/></svg>`;
}

/** A disguise's glyph is a line, as on most icons that phones bring. */
function disguiseSvg({ background, line, glyph }: Disguise, purpose: keyof typeof MARK_SHARE): string {
  const side = 512;
  const mark = side * MARK_SHARE[purpose];
  const offset = (side - mark) / 2;
  const radius = purpose === "any" ? side * 0.22 : 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><rect width="${side}" height="${side}" rx="${radius}" fill="${background}"/><path transform="translate(${offset} ${offset}) scale(${mark / 24})" fill="none" stroke="${line}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" d="${glyph}"/></svg>`;
}

async function makeIcon(name: string): Promise<Uint8Array | string | undefined> {
  const match = /^([a-z]+)(-maskable)?(?:-(192|512|180))?\.(svg|png)$/.exec(name);
  const brand = BRANDS.find((candidate) => candidate.id === match?.[1]);
  const disguise = DISGUISE_IDS.find((candidate) => candidate === match?.[1]);
  if (!match || !(brand || disguise)) return undefined;
  // Apple's launcher rounds the corners itself and paints transparent ones black.
  const purpose = match[2] || match[3] === "180" ? "maskable" : "any";
  const svg = brand ? iconSvg(brand, purpose) : disguiseSvg(DISGUISES[disguise ?? "notes"], purpose);
  if (match[4] === "svg") return svg;
  return sharp(Buffer.from(svg)).resize(Number(match[3])).png({ compressionLevel: 9 }).toBuffer();
}

/** Draws every brand's icons from its mark, and those of the disguises alike: /icons/<brand>.svg, -180, -192, -512, -maskable-192 and -maskable-512.png. */
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
