import { describe, expect, it } from "vitest";
import { Email, LoginDigits, MailedToken } from "./accounts.ts";
import { TipNumber } from "./holds.ts";
import { normalizeRecoveryWords } from "./lockdown.ts";
import { asDay, Day, LongText, SingleLine, TrimmedText } from "./primitives.ts";
import { CaseRef } from "./transparency.ts";
import { asAddress, asCode, asSeen, wrongDigitOf } from "./typed.ts";
import { digitsOnlyText } from "./wrong-character.ts";

describe("an address", () => {
  it.each([
    ["marco@example.test", "marco@example.test"],
    ["  Marco@Example.TEST\u00A0", "marco@example.test"],
    ["ma\u200Brco@exam\u00ADple.test\uFEFF", "marco@example.test"],
    ["\u2068marco@example.test\u2069", "marco@example.test"],
    ["<marco@example.test>", "marco@example.test"],
    ['"marco@example.test"', "marco@example.test"],
    ["“marco@example.test”,", "marco@example.test"],
    ["'marco@example.test'", "marco@example.test"],
    ["«marco@example.test».", "marco@example.test"],
    ["(marco@example.test)", "marco@example.test"],
    ["Marco Polo <marco@example.test>;", "marco@example.test"],
    ['"Polo, Marco" <marco@example.test>', "marco@example.test"],
    ["mailto:marco@example.test", "marco@example.test"],
    ["<mailto:marco@example.test?subject=Hi>", "marco@example.test"],
    ["mailto://marco%2Btag@example.test", "marco+tag@example.test"],
    ["mailto:jos%C3%A9.o%27neill+tag%40example.test", "josé.o'neill+tag@example.test"],
    ["marco@example.test (Marco)", "marco@example.test"],
    ["»marco@example.test«", "marco@example.test"],
    ["「marco@example.test」", "marco@example.test"],
    ["*marco@example.test*", "marco@example.test"],
    ["marco@example.test…", "marco@example.test"],
    ["marco@example. test ", "marco@example.test"],
    ["marco@example﹒test", "marco@example.test"],
    [`${"m".repeat(64)}@example.test`, `${"m".repeat(64)}@example.test`],
    [`${"é".repeat(32)}@example.test`, `${"é".repeat(32)}@example.test`],
    ["a..b.@docomo.example", "a..b.@docomo.example"],
    ["marco@example.test.", "marco@example.test"],
    ["marco@example.test,", "marco@example.test"],
    ["marco @ example.test", "marco@example.test"],
    ["ｍａｒｃｏ＠ｅｘａｍｐｌｅ．test", "marco@example.test"],
    ["marco@example。test", "marco@example.test"],
    ["marco+tag@example.test", "marco+tag@example.test"],
    ["o'neill@example.test", "o'neill@example.test"],
    ["u@mu\u0308nchen.example", "u@münchen.example"],
    ["u@münchen.example", "u@münchen.example"],
    ["用户@例子.example", "用户@例子.example"],
    // Sent to as typed: lowercased, it would be another mailbox.
    ["İpek@example.test", "İpek@example.test"],
    ["Email: marco@example.test", "marco@example.test"],
    ["• marco@example.test", "marco@example.test"],
    ["2. marco@example.test", "marco@example.test"],
    ["Marco (marco@example.test)", "marco@example.test"],
    ["[marco@example.test](mailto:marco@example.test)", "marco@example.test"],
    ["marco@example.test)", "marco@example.test"],
    ["marco@example.test\r\nMarco@example.test,", "marco@example.test"],
    ["✉️ marco@example.test", "marco@example.test"],
    ["📧marco@example.test", "marco@example.test"],
    ["☞ marco@example.test 😀", "marco@example.test"],
    ["😀@example.test", "😀@example.test"],
    ["marco@example.test”", "marco@example.test"],
    ["¿marco@example.test?", "marco@example.test"],
    ["\u202Dmarco@example.test\u202C", "marco@example.test"],
    // As keyboards, word processors and PDF files write them.
    ["o’neill@example.test", "o'neill@example.test"],
    ["marco–p@exam\u2011ple.test", "marco-p@exam-ple.test"],
    ["ﬁn@ofﬁce.test", "fin@office.test"],
    ["marco@example\u2024test", "marco@example.test"],
    ["a@l·l.test", "a@l·l.test"],
  ])("%j is read as %j", (typed, address) => {
    expect(Email.parse(typed)).toBe(address);
  });

  it.each([
    ['"a b"@example.test', "QUOTED_EMAIL"],
    ["a b@example.test", `WRONG_CHARACTER ${0x20}`],
    ["marco@example.test maria@example.test", `WRONG_CHARACTER ${0x20}`],
    ["a@b@example.test", `WRONG_CHARACTER ${0x40}`],
    ["mailto:a%0D%0ABcc:b@example.test", `WRONG_CHARACTER ${0x0d}`],
    ["a;b@example.test", `WRONG_CHARACTER ${0x3b}`],
    ["a\u202Eb@example.test", `WRONG_CHARACTER ${0x202e}`],
    ["a\u0000b@example.test", "WRONG_CHARACTER 0"],
    ["marco@example.test/", `WRONG_CHARACTER ${0x2f}`],
    ["marco@example.test?subject=Hi", `WRONG_CHARACTER ${0x3f}`],
    ["marco@exam“ple.test", `WRONG_CHARACTER ${0x201c}`],
    ["marco@example.test😀", `WRONG_CHARACTER ${0x1f600}`],
    ["\u202Dאב@example.test", `WRONG_CHARACTER ${0x202d}`],
    [`${"m".repeat(65)}@example.test`, "NO_EMAIL"],
    [`${"é".repeat(33)}@example.test`, "NO_EMAIL"],
    [`marco@${"m".repeat(64)}.test`, "NO_EMAIL"],
    // Longer in the letters of the DNS.
    [`marco@${"ü".repeat(60)}.test`, "NO_EMAIL"],
    [`marco@${"日本.".repeat(25)}example`, "NO_EMAIL"],
    ["marco@example..test", "NO_EMAIL"],
    ["marco@-example.test", "NO_EMAIL"],
    ["marco@127.0.0.1", "NO_EMAIL"],
    ["marco@example", "NO_EMAIL"],
    ["marco", "NO_EMAIL"],
    ["@example.test", "NO_EMAIL"],
    ["", "NO_EMAIL"],
  ])("%j is refused with %s", (typed, problem) => {
    expect(Email.safeParse(typed).error?.issues[0]?.message).toBe(problem);
  });
});

describe("the code of a link in a mail", () => {
  const CODE = `3D${"Ab0_-".repeat(8)}x`;
  it.each([
    CODE,
    `3D${CODE}`,
    `=3D${CODE}`,
    `${CODE.slice(0, 20)}=\r\n${CODE.slice(20)}`,
    `${CODE.slice(0, 20)}\r\n ${CODE.slice(20)}`,
    ...[".", ")", ">", "”.", "=", "&utm_source=mail", "?utm_source=newsletter&utm_medium=email", "\u200B", "%20"].map(
      (end) => CODE + end,
    ),
  ])("%j is read as it was written", (opened) => {
    expect(MailedToken.parse(opened)).toBe(CODE);
  });
});

describe("a code", () => {
  it.each([
    "123456",
    "123 456",
    "123-456",
    "123\u2013456",
    "123\u2011456.",
    "\u200B123\u00A0456",
    "1 2 3 4 5 6",
    "“123456”",
    "<123456>",
    "123.456",
    "１２３４５６",
    "١٢٣٤٥٦",
    "۱۲۳۴۵۶",
    "१२३४५६",
    "\u2066123456\u2069",
    "\u202D123456\u202C",
    "1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣",
    "①②③④⑤⑥",
    "Your code is 123 456.\nIt is valid for 15 minutes.",
    "G-123456",
  ])("%j is read as 123456", (typed) => {
    expect(LoginDigits.parse({ ticket: "x", digits: typed }).digits).toBe("123456");
  });

  it.each([
    ["12345", "SIX_DIGITS"],
    ["1234567", "SIX_DIGITS"],
    ["123a456", `WRONG_CHARACTER ${0x61}`],
    ["12345a", `WRONG_CHARACTER ${0x61}`],
    ["12345O", `WRONG_CHARACTER ${0x4f}`],
    ["", "SIX_DIGITS"],
  ])("%j is refused with %s", (typed, problem) => {
    expect(LoginDigits.safeParse({ ticket: "x", digits: typed }).error?.issues[0]?.message).toBe(problem);
  });
});

describe("a field for digits", () => {
  it.each(["", "12 34", "12-34", "(12) 34.", "\u200B12\u00A034", "１２٣٤"])("takes all of %j", (typed) => {
    expect(wrongDigitOf(typed)).toBeUndefined();
  });

  it.each([
    ["12O4", "O", "“O” (U+004F)"],
    ["l234", "l", "“l” (U+006C)"],
    ["12\u0417", "\u0417", "“\u0417” (U+0417)"],
    ["12😀", "😀", "“😀” (U+1F600)"],
    ["12\u202E", "\u202E", "U+202E"],
    ["1+2", "+", "“+” (U+002B)"],
  ])("names what is wrong in %j", (typed, wrong, name) => {
    expect(wrongDigitOf(typed)).toBe(wrong);
    expect(digitsOnlyText(wrong, "en")).toBe(`Only digits belong here, and ${name} is none.`);
    expect(digitsOnlyText(wrong, "es")).toBe(`Aquí solo van cifras, y ${name} no lo es.`);
  });
});

describe("a reference", () => {
  it.each([
    [CaseRef, "00ff 00FG", 0x67],
    [TipNumber, "12.34x", 0x78],
  ])("is refused by the character that is wrong", (schema, typed, code) => {
    expect(schema.safeParse(typed).error?.issues[0]?.message).toBe(`WRONG_CHARACTER ${code}`);
  });
});

describe("a day", () => {
  it.each([
    "1990-05-17",
    "1990\u201305\u201317",
    "1990.05.17",
    "1990.5.17.",
    "1990/05/17",
    "1990 - 05 - 17",
    "１９９０－０５－１７",
    "١٩٩٠-٠٥-١٧",
    '"1990-05-17"',
    "1990-05-17\u200B",
    "19900517",
    "1990 5 17",
    "1990年5月17日",
    "1990·05·17",
    "١٩٩٠٫٠٥٫١٧",
  ])("%j is read as 1990-05-17", (typed) => {
    expect(Day.parse(typed)).toBe("1990-05-17");
  });

  it.each([
    ["17.05.1990", "NO_DATE"],
    ["1990-13-01", "NO_DATE"],
    ["1990-02-30", "NO_DATE"],
    ["", "NO_DATE"],
    ["199O-05-17", `WRONG_CHARACTER ${0x4f}`],
    ["1990-05-17\u202E", `WRONG_CHARACTER ${0x202e}`],
    ["yesterday", "NO_DATE"],
  ])("%j is refused with %s", (typed, problem) => {
    const [issue] = Day.safeParse(typed).error?.issues ?? [];
    expect(issue?.code === "custom" ? issue.message : "NO_DATE").toBe(problem);
  });
});

describe("a text", () => {
  it.each(["\u2800", "\u3164", "\u200B\u2063", "\u115F\uFFA0", " \u2800\n\t", "\u0000", "\u202E"])(
    "of nothing that is seen, %j, is empty",
    (typed) => {
      expect([TrimmedText, SingleLine, LongText].map((schema) => schema.parse(typed))).toEqual(["", "", ""]);
    },
  );

  it.each([
    ["⠓⠊⠀⠓⠊", "⠓⠊⠀⠓⠊"],
    ["a\r\nb\rc\u0000", "a\nb\nc"],
    ["\uD83D broken", "\uFFFD broken"],
    ["from\va\u2028word\u2029processor\f", "from\na\nword\nprocessor"],
    ["a photo: \uFFFC", "a photo:"],
    [`a${"\n \t\r\n".repeat(1500)}b`, "a\n\n\nb"],
    ["a\n\n\nb\n  c", "a\n\n\nb\n  c"],
    [
      "Cymru \u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
      "Cymru \u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
    ],
  ])("%j is kept as %j", (typed, kept) => {
    expect(TrimmedText.parse(typed)).toBe(kept);
  });
});

describe("recovery words", () => {
  const WORDS = "abandon ability able about above absent absorb abstract";
  it.each([
    WORDS,
    WORDS.toUpperCase(),
    WORDS.replaceAll(" ", "\n"),
    WORDS.replaceAll(" ", ", "),
    WORDS.replaceAll(" ", "\u2013"),
    WORDS.replaceAll(" ", "\u00A0\u200B"),
    WORDS.split(" ")
      .map((word, index) => `${index + 1}. ${word}`)
      .join("\n"),
    WORDS.split(" ")
      .map((word, index) => `${(index + 1).toLocaleString("ar-EG")}) ${word}`)
      .join(" "),
    `“${WORDS}.”`,
    WORDS.replace("ability", "ábility").replace("absorb", "ABSORB").replace("about", "ａｂｏｕｔ"),
  ])("%j are read as the same eight", (typed) => {
    expect(normalizeRecoveryWords(typed)).toBe(WORDS);
  });

  it.each([WORDS.replace("able", "4ble"), `${WORDS} more`, "one two"])("%j are none", (typed) => {
    expect(normalizeRecoveryWords(typed)).toBeUndefined();
  });
});

describe("every way to read", () => {
  /** Texts of pieces that have a meaning somewhere, in all orders; the same each time. */
  const PIECES = [
    "a",
    "B",
    "İ",
    "1",
    "٢",
    "－",
    "–",
    ".",
    "@",
    "＠",
    "<",
    ">",
    '"',
    "“",
    "”",
    " ",
    "\u00A0",
    "\u200B",
    "mailto:",
    "。",
    "u\u0308",
    "\u202E",
  ];
  const texts = Array.from({ length: 4000 }, (_, index) => {
    let text = "";
    for (let rest = index * 7919 + 1; rest > 0; rest = Math.floor(rest / PIECES.length))
      text += PIECES[rest % PIECES.length];
    return text;
  });

  it.each(Object.entries({ asSeen, asCode, asDay, asAddress }))("%s leaves its own result unchanged", (_, read) => {
    for (const text of texts) expect(read(read(text)), JSON.stringify(text)).toBe(read(text));
  });

  it("knows the value of every digit of Unicode", () => {
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const digit = String.fromCodePoint(code);
      if (code >= 0x80 && /\p{Nd}/u.test(digit)) {
        // Runs are whole tens, so the digit nine places on is in the same run or the next one begins.
        expect(asCode(digit)).toMatch(/^\d$/);
      }
    }
    for (const system of ["arab", "arabext", "beng", "deva", "fullwide", "khmr", "mathbold", "thai", "tibt"]) {
      const all = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9876543210);
      expect(asCode(all), system).toBe("9876543210");
    }
  });
});
