import type { Brand } from "./brand.ts";

/** The first brand: desert warmth after dark. */
export const ember: Brand = {
  id: "ember",
  bit: 1,
  name: "Ember",
  tagline: { en: "Good men glow in the dark.", es: "Los hombres buenos brillan en la oscuridad." },
  dark: {
    surface: "#15100d",
    raised: "#211a16",
    line: "#40342d",
    edge: "#857468",
    tint: "#33231a",
    text: "#f6efe9",
    muted: "#b9aaa0",
    accent: "#ff8a3d",
    onAccent: "#241003",
    accentText: "#ff9a57",
  },
  light: {
    surface: "#fbf6ef",
    raised: "#fffdf9",
    line: "#d9cbbd",
    edge: "#8d7a6b",
    tint: "#fbe6d3",
    text: "#24170f",
    muted: "#6b5a4e",
    accent: "#c2500b",
    onAccent: "#ffffff",
    accentText: "#a84308",
  },
  display: "fraunces",
  mark: "M12 2c1.2 3.6-.4 5.3-2 7.2C8.3 11.2 6.5 13 6.5 16a5.5 5.5 0 0 0 11 0c0-2.3-1-4-2-5.2-.2 1.5-.9 2.4-1.9 2.900C14.4 9.6 14.6 5.2 12 2Z",
  hosts: ["ember.example", "www.ember.example"],
  firstCity: { name: "San Francisco", lat: 37.7609, lon: -122.435 },
  senderAddress: "hello@ember.example",
  operatorAddress: "volunteers@ember.example",
  legalName: "Ember Community Project",
  // With empty fields the brand cannot open: the staff dashboard and `npm run deploy` report them.
  contact: { post: "", authorities: "", languages: ["en", "es"], representative: "" },
};
