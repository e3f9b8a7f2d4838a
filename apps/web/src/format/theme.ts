import { deviceKey, readDeviceValue, subscribeDeviceValue, useDeviceValue } from "../device/device-storage.ts";
import { pageBrand } from "./site.ts";

export const THEME_CHOICES = ["dark", "light", "system"] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const THEME = deviceKey<ThemeChoice>("theme", "dark", (value) => THEME_CHOICES.includes(value as ThemeChoice));

/** The device's theme setting; dark by default. */
export const useTheme = (): readonly [ThemeChoice, (choice: ThemeChoice) => void] => useDeviceValue(THEME);

const systemLightQuery = () => window.matchMedia("(prefers-color-scheme: light)");

function applyTheme(): void {
  const brand = pageBrand();
  const choice = readDeviceValue(THEME);
  const light = choice === "light" || (choice === "system" && systemLightQuery().matches);
  const root = document.documentElement;
  root.dataset.theme = light ? "light" : "dark";
  root.dataset.brand = brand.id;
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", light ? brand.light.surface : brand.dark.surface);
}

/** Applies the chosen theme to the document now and after each change. Call once, before the first paint. */
export function startTheme(): void {
  applyTheme();
  subscribeDeviceValue(THEME, applyTheme);
  systemLightQuery().addEventListener("change", applyTheme);
}
