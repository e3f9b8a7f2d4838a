import { expect, it } from "vitest";
import { redact } from "./redact.ts";

it.each([
  ["write to me at big.al@mail.example.com, Al", [], "write to me at [mail], Al"],
  ["call +1 (602) 555-0199 or 602.555.0199", [], "call [number] or [number]"],
  ["see https://x.example/a?b=c and www.y.example", [], "see [link] and [link]"],
  ["I am @desert_bear there", [], "I am [handle] there"],
  ["at 33.44840, -112.07400 tonight", [], "at [place] tonight"],
  ["MARCO, marco! but not Marcoantonio", ["Marco"], "[name], [name]! but not Marcoantonio"],
  ["He is 42 and 6'1, from 1988", [], "He is 42 and 6'1, from 1988"],
  ["(T.J.) said so", ["(T.J.)"], "[name] said so"],
  ["Al is a name too short to hide", ["Al"], "Al is a name too short to hide"],
])("%s", (text, names, expected) => {
  expect(redact(text, names)).toBe(expected);
});

it("cuts a long text before an emoji that would not fit", () => {
  expect(redact("See you 🐻", [], 9)).toBe("See you ");
  expect(redact("See you 🐻", [], 10)).toBe("See you 🐻");
});
