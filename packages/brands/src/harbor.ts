import type { Brand } from "./brand.ts";

/** Open water and evening light: calm, cool, clear. */
export const harbor: Brand = {
  id: "harbor",
  bit: 2,
  name: "Harbor",
  tagline: { en: "Every port has a good man in it.", es: "En cada puerto hay un buen hombre." },
  dark: {
    surface: "#0b1215",
    raised: "#131e22",
    line: "#2b3c42",
    edge: "#647f87",
    tint: "#123230",
    text: "#e9f3f4",
    muted: "#9db1b6",
    accent: "#4fd1c1",
    onAccent: "#04211d",
    accentText: "#62dccd",
  },
  light: {
    surface: "#f4f7f3",
    raised: "#fdfefc",
    line: "#c6d3d0",
    edge: "#6b8583",
    tint: "#d8ede7",
    text: "#0e2224",
    muted: "#4b6265",
    accent: "#0b766c",
    onAccent: "#ffffff",
    accentText: "#0a675e",
  },
  display: "bricolage",
  mark: "M12 2a3 3 0 0 1 1.25 5.730V10H16v2h-2.750v7.400c2.6-.5 4.5-2.2 5.1-4.600l-1.65.5L16 13.500l4.3-1.9.9 4.600C20.2 19.7 16.6 22 12 22s-8.2-2.3-9.2-5.800l.9-4.600L8 13.500l-.7 1.8-1.65-.5c.6 2.4 2.5 4.1 5.1 4.600V12H8v-2h2.750V7.730A3 3 0 0 1 12 2Z",
  hosts: ["harbor.example", "www.harbor.example"],
  firstCity: { name: "San Francisco", lat: 37.7795, lon: -122.4002 },
  senderAddress: "hello@harbor.example",
  operatorAddress: "volunteers@harbor.example",
  legalName: "Harbor Community Project",
  // With empty fields the brand cannot open: the staff dashboard and `npm run deploy` report them.
  contact: { post: "", authorities: "", languages: ["en", "es"], representative: "" },
};
