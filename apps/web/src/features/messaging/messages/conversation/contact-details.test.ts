import { expect, it } from "vitest";
import { findContactDetails } from "./contact-details.ts";

it.each([
  ["look at https://example.test/x", { link: true, number: false }],
  ["I am on t.me/somebody", { link: true, number: false }],
  ["write to bob@gmail.com", { link: true, number: false }],
  ["call +49 (170) 123-45 67", { link: false, number: true }],
  ["\uff10\uff11\uff17\uff10 1234567", { link: false, number: true }],
  ["Hello.How are you? I am 35, 180 cm, 80 kg", { link: false, number: false }],
  ["(see https://example.test/a_(b)).", { link: true, number: false }],
  ["bit\u200B.ly/x", { link: true, number: false }],
  ["example.bank/login", { link: true, number: false }],
  ["example.test:8080", { link: true, number: false }],
  ["münchen.de", { link: true, number: false }],
  ["пример.рф", { link: true, number: false }],
  ["ex\u00ADample.ru", { link: true, number: false }],
  ["٠١٧٠١٢٣٤٥٦٧", { link: false, number: true }],
  ["0️⃣1️⃣7️⃣0️⃣1️⃣2️⃣3️⃣4️⃣5️⃣", { link: false, number: true }],
  ["017\u200B01\u200B234567", { link: false, number: true }],
  ["Vers. or bottom, i.e./e.g. whatever", { link: false, number: false }],
  ["Friday 20.11.2026 at 8?", { link: false, number: false }],
])("finds links and phone numbers but not dates: %s", (text, expected) => {
  expect(findContactDetails(text)).toEqual(expected);
});
