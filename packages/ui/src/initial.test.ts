import { expect, test } from "vitest";
import { initialOf } from "./initial.ts";

test("an initial is one whole letter in upper case", () => {
  expect(["marco", " ångström", "🦊 Fox", "𝓜arco", "  ", ""].map(initialOf)).toEqual(["M", "Å", "🦊", "𝓜", "", ""]);
  // Of several code points each.
  expect(["🇪🇸 Javi", "👨‍👨‍👦 Us", "🏳️‍🌈", "e\u0301mile", "שלום"].map(initialOf)).toEqual([
    "🇪🇸",
    "👨‍👨‍👦",
    "🏳️‍🌈",
    "E\u0301",
    "ש",
  ]);
});
