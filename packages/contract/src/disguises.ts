/**
 * Neutral names and icons under which the site can be installed, used by the worker's manifests, the icon build and the browser. They
 * imitate ordinary phone apps, and so do their notifications.
 */
import type { Locale } from "./accounts.ts";

export const DISGUISE_IDS = ["notes", "weather", "recipes", "timer"] as const;
export type DisguiseId = (typeof DISGUISE_IDS)[number];

export interface Disguise {
  readonly name: Readonly<Record<Locale, string>>;
  /** The text of every notification, whatever it is about. */
  readonly notificationText: Readonly<Record<Locale, string>>;
  readonly background: string;
  readonly line: string;
  /** SVG path data, stroked in a 24 x 24 box. */
  readonly glyph: string;
}

export const DISGUISES: Readonly<Record<DisguiseId, Disguise>> = {
  notes: {
    name: { en: "Notes", es: "Notas" },
    notificationText: { en: "You have a reminder", es: "Tienes un recordatorio" },
    background: "#f4d35e",
    line: "#3d3315",
    glyph: "M6 4h12v16H6zM9 8.5h6M9 12h6M9 15.5h3.5",
  },
  weather: {
    name: { en: "Weather", es: "Clima" },
    notificationText: { en: "The forecast has changed", es: "Cambió el pronóstico" },
    background: "#4f8fd0",
    line: "#ffffff",
    glyph: "M7.5 18.5a4 4 0 0 1-.4-8 5.2 5.2 0 0 1 10-.9 4.5 4.5 0 0 1-.6 8.9zM8 5.5a4.2 4.2 0 0 0-3.5 3",
  },
  recipes: {
    name: { en: "Recipes", es: "Recetas" },
    notificationText: { en: "A recipe for today", es: "Una receta para hoy" },
    background: "#f3efe6",
    line: "#6b4a2f",
    glyph:
      "M4 11h16v5a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4zM2.5 13.5H4M20 13.5h1.5M9 8c0-1.5 1-1.5 1-3M13.5 8c0-1.5 1-1.5 1-3",
  },
  timer: {
    name: { en: "Timer", es: "Temporizador" },
    notificationText: { en: "A timer has ended", es: "Terminó un temporizador" },
    background: "#2f3a40",
    line: "#ffffff",
    glyph: "M12 21a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15M12 9.5v4l2.5 1.5M9.5 3h5",
  },
};

/** Path of a disguise's web manifest. The name under the icon is translated, so each language has its own. */
export const disguiseManifestPath = (id: DisguiseId, locale: Locale): string => `/manifest/${id}-${locale}.webmanifest`;
