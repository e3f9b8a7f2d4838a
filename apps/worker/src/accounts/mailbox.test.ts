import { expect, it } from "vitest";
import { mailboxOf } from "./mailbox.ts";

it.each([
  ["Marco@Example.test", "marco@example.test"],
  ["marco+a@example.test", "marco@example.test"],
  ["marco+a+b@example.test", "marco@example.test"],
  ["m.a.rco@example.test", "m.a.rco@example.test"],
  ["m.a.rco+x@gmail.com", "marco@gmail.com"],
  ["marco@googlemail.com", "marco@gmail.com"],
  ["ｍａｒｃｏ@ｅｘａｍｐｌｅ.test", "marco@example.test"],
  ["marco@bücher.example", "marco@xn--bcher-kva.example"],
  ["marco@xn--bcher-kva.example", "marco@xn--bcher-kva.example"],
  ["marco@example.test.", "marco@example.test"],
  ["marco@example。test", "marco@example.test"],
  ["+x@example.test", "+x@example.test"],
  ["u@mu\u0308nchen.example", "u@xn--mnchen-3ya.example"],
  ["jose\u0301@example.test", "josé@example.test"],
  ["İpek@example.test", "ipek@example.test"],
  ["i\u0307pek@example.test", "ipek@example.test"],
])("normalizes %s to %s", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
  expect(mailboxOf(mailbox)).toBe(mailbox);
});
