/** SVG placeholders for photographs, so that the gallery needs no image files. Each is a slightly different head against a light. */
const SCENES = [
  ["#2b1a2f", "#e8743b", "#3a1d16", "#c98a63"],
  ["#0d2a3a", "#5fb3b3", "#12202b", "#9a6a4c"],
  ["#3a2413", "#f0b45a", "#20130b", "#e0ac84"],
  ["#1c2b1f", "#9bbf6a", "#0f1811", "#7a4b32"],
  ["#37182a", "#ee7b93", "#1d0c16", "#d79a78"],
  ["#182238", "#8fa6d8", "#0d1424", "#5c3a29"],
  ["#402a1e", "#d9c3a5", "#1a110c", "#b98059"],
  ["#10312c", "#f2d27a", "#0a1b18", "#8d5b3e"],
] as const;

export function portrait(index: number): string {
  const [back, light, shirt, skin] = SCENES[index % SCENES.length] ?? SCENES[0];
  const lean = ((index * 37) % 60) - 30;
  const beard = index % 3 !== 1;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 500"><defs><radialGradient id="g" cx="${30 + ((index * 23) % 45)}%" cy="30%" r="80%"><stop stop-color="${light}"/><stop offset="1" stop-color="${back}"/></radialGradient></defs><rect width="400" height="500" fill="url(#g)"/><g transform="translate(${200 + lean} 0)"><path d="M-150 500c0-120 50-165 150-165s150 45 150 165z" fill="${shirt}"/><path d="M-34 270h68v80q-34 34-68 0z" fill="${skin}"/><ellipse cy="215" rx="72" ry="92" fill="${skin}"/>${beard ? `<path d="M-72 215c-2 80 26 118 72 118s74-38 72-118c-8 34-22 44-40 40-20-6-44-6-64 0-18 4-32-6-40-40z" fill="${shirt}"/>` : ""}<circle cx="-27" cy="212" r="6" fill="${shirt}"/><circle cx="27" cy="212" r="6" fill="${shirt}"/><path d="M-76 205c-12-74 26-104 78-104s88 32 74 104c-16-44-34-52-74-50s-62 8-78 50z" fill="${shirt}"/></g></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export const NAMES = [
  "Marco",
  "Bear in Flannel",
  "Theo",
  "JoséLuis",
  "Dev",
  "Anselm",
  "Big Tony from Tempe",
  "Kit",
] as const;
