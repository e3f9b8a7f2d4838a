import { expect, it } from "vitest";
import { isolate } from "./isolate.ts";

it.each(["דוד", "أحمد", "Ali علي", "𞤀𞤣𞤢𞤥"])("isolates %s", (name) => {
  expect(isolate(name)).toBe(`\u2068${name}\u2069`);
});

it.each(["", "Ann", "José 7", "Юрий", "李", "😀"])("leaves %j as it is", (name) => {
  expect(isolate(name)).toBe(name);
});
