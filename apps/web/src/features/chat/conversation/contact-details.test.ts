import { expect, it } from "vitest";
import { findContactDetails } from "./contact-details.ts";

it.each([
  ["look at https://example.test/x", { link: true, number: false }],
  ["I am on t.me/somebody", { link: true, number: false }],
  ["write to bob@gmail.com", { link: true, number: false }],
  ["call +49 (170) 123-45 67", { link: false, number: true }],
  ["\uff10\uff11\uff17\uff10 1234567", { link: false, number: true }],
  ["Hello.How are you? I am 35, 180 cm, 80 kg", { link: false, number: false }],
  ["Friday 20.11.2026 at 8?", { link: false, number: false }],
])("finds links and phone numbers but not dates: %s", (text, expected) => {
  expect(findContactDetails(text)).toEqual(expected);
});
