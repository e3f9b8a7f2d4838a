import { expect, it } from "vitest";
import { parseFragment } from "./plan-text.ts";

const SECRET = `${"Ab0_-".repeat(8)}xyz`;

it.each(["", ".", ")", "%E2%80%8B", ">", "”", ",%20please", "?utm_source=chat"])(
  "a link is read with %j at its end",
  (end) => {
    expect(parseFragment(`#${SECRET}.es${end}`)).toEqual({ secret: SECRET, locale: "es" });
    expect(parseFragment(`#${SECRET}${end}`)).toEqual({ secret: SECRET, locale: undefined });
  },
);

it.each(["", "#", `#${SECRET.slice(1)}`, `#${SECRET}a`, `#${SECRET.slice(1)}.es`, SECRET])(
  "%j is no whole secret",
  (fragment) => {
    expect(parseFragment(fragment)).toBeUndefined();
  },
);
