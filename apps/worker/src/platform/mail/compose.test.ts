import { expect, it } from "vitest";
import { composeMail, formatDay } from "./send-mail.ts";

it("writes the same content as text and as HTML, and escapes what a person wrote", () => {
  const mail = composeMail({ legalName: "Ember & Co" }, "a@example.test", "Subject", [
    "A paragraph",
    { link: "https://ember.example/x?a=1&b=2", action: "Open" },
    { link: "https://ember.example/" },
    { code: "123456" },
    { heading: "Why", text: "A <rule>" },
    { quote: "First\n<b>second</b>" },
  ]);
  expect(mail).toMatchObject({ to: "a@example.test", subject: "Subject" });
  expect(mail.text.split("\n\n")).toEqual([
    "A paragraph",
    "https://ember.example/x?a=1&b=2",
    "https://ember.example/",
    "123456",
    "Why\nA <rule>",
    "> First\n> <b>second</b>",
    "Ember & Co",
  ]);
  expect(mail.html).toContain('<a href="https://ember.example/x?a=1&amp;b=2">Open</a>');
  expect(mail.html).toContain('<a href="https://ember.example/">https://ember.example/</a>');
  expect(mail.html).toContain(">123456</p>");
  expect(mail.html).toContain("<h2>Why</h2><p>A &lt;rule&gt;</p>");
  expect(mail.html).toContain("&lt;b&gt;second&lt;/b&gt;");
  expect(mail.html).toMatch(/<p>Ember &amp; Co<\/p>$/);
});

it("names days in the reader's language", () => {
  const time = Date.UTC(2027, 2, 5, 23);
  expect([formatDay("en", time), formatDay("es", time)]).toEqual(["March 5, 2027", "5 de marzo de 2027"]);
});
