import type { Brand } from "./brand.ts";

/** Woods, flannel and a few thorns: bears, beards and company. */
export const bramble: Brand = {
  id: "bramble",
  bit: 4,
  name: "Bramble",
  tagline: { en: "Rough edges welcome.", es: "Aquí caben las asperezas." },
  dark: {
    surface: "#140e13",
    raised: "#20171e",
    line: "#42313d",
    edge: "#86717f",
    tint: "#3a1c2b",
    text: "#f5edf2",
    muted: "#b8a5b1",
    accent: "#f0608f",
    onAccent: "#2b0413",
    accentText: "#f67aa2",
  },
  light: {
    surface: "#faf4f1",
    raised: "#fffcfa",
    line: "#dcc8cf",
    edge: "#917884",
    tint: "#f2dcdd",
    text: "#26131c",
    muted: "#6d5460",
    accent: "#b01f55",
    onAccent: "#ffffff",
    accentText: "#9c1a4a",
  },
  display: "hepta",
  mark: "M12 6.500a2.6 2.6 0 0 1 2.5 1.9 2.6 2.6 0 0 1 3 3.7 2.6 2.6 0 0 1-1 4.700A4.6 4.6 0 0 1 12 21.500a4.6 4.6 0 0 1-4.5-4.7 2.6 2.6 0 0 1-1-4.7 2.6 2.6 0 0 1 3-3.700A2.6 2.6 0 0 1 12 6.500ZM11.2 5.800C8.8 5.9 7.3 4.7 6.8 2.500c2.3-.2 3.9.7 4.4 2.6.5-1.7 1.8-2.8 4-3.1.2 2.3-1 3.7-3.2 3.800h-.8Z",
  hosts: ["bramble.example", "www.bramble.example"],
  firstCity: { name: "San Francisco", lat: 37.77, lon: -122.4469 },
  senderAddress: "hello@bramble.example",
  operatorAddress: "volunteers@bramble.example",
  legalName: "Bramble Community Project",
  // As complete as a brand must be to open.
  contact: {
    post: "1 Example Street, 12345 Example Town",
    authorities: "authorities@bramble.example",
    languages: ["en", "es"],
    representative: null,
  },
};
