/** Walks over the source: keys, forms and fields behave the same on every screen. */
import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url).pathname;
const SOURCES = globSync(["apps/web/src/**/*.{ts,tsx}", "packages/ui/src/*.{ts,tsx}"], { cwd: ROOT })
  .filter((path) => !path.includes(".test."))
  .map((path) => ({ path: path.replace(/^apps\/web\/src\//, ""), text: readFileSync(ROOT + path, "utf8") }));

interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

interface Control {
  readonly path: string;
  readonly name: string;
  /** What each attribute is set to, as it is written; "..." for those that are spread. */
  readonly attributes: ReadonlyMap<string, string>;
}

const isSyntax = (value: unknown): value is Syntax => typeof (value as Syntax | null)?.type === "string";

/** The fields of a file: those of HTML and those of packages/ui. */
function listControls({ path, text }: { path: string; text: string }): Control[] {
  if (!/<(input|select|textarea|\w*Field|TextArea|Select)\b/.test(text)) return [];
  const found: Control[] = [];
  const textOf = ({ start, end }: Syntax) => text.slice(start, end);
  const visit = (syntax: Syntax): void => {
    if (syntax.type === "JSXOpeningElement") {
      const attributes = (syntax.attributes as Syntax[]).map((attribute): [string, string] =>
        isSyntax(attribute.name)
          ? [textOf(attribute.name), attribute.value ? textOf(attribute.value as Syntax) : ""]
          : ["...", textOf(attribute)],
      );
      found.push({ path, name: textOf(syntax.name as Syntax), attributes: new Map(attributes) });
    }
    for (const value of Object.values(syntax).flat()) if (isSyntax(value)) visit(value);
  };
  const { program, errors } = parseSync(path, text);
  expect(errors).toEqual([]);
  visit(program as unknown as Syntax);
  return found.filter(({ name }) => /^(input|select|textarea|TextField|EmailField|PasswordField)$/.test(name));
}

const CONTROLS = SOURCES.flatMap(listControls);
const describeControl = ({ path, name, attributes }: Control) =>
  `${path} <${name} ${attributes.get("label") ?? attributes.get("type") ?? ""}>`;

it("compares no key with Enter except in isSubmitKey, because an input method's Enter confirms a word", () => {
  const compares = SOURCES.filter(({ text }) => /[!=]==? "Enter"|case "Enter"/.test(text));
  expect(compares.map(({ path }) => path)).toEqual(["components/submit-key.ts"]);
});

it("submits every form through Form, or reads its FormData, because password managers fill fields without an event", () => {
  const forms = SOURCES.filter(({ text }) => /<form\b|element\("form"/.test(text));
  expect(forms.map(({ path }) => path).sort()).toEqual([
    "components/Form.tsx",
    // Small enough for the first screens, and filled before the script runs.
    "features/accounts/DigitsStep.tsx",
    "features/accounts/LoginScreen.tsx",
    "features/accounts/RegisterScreen.tsx",
    // Without React: reads its one field when it is submitted.
    "features/messaging/meets/friend/page.ts",
  ]);
  expect(forms.filter(({ text }) => !/new FormData\(|field\.value/.test(text))).toEqual([]);
});

it("knows what every field holds: by its value or by its name in FormData", () => {
  const unread = CONTROLS.filter(
    ({ attributes }) => !["value", "checked", "name", "...", "onChange"].some((name) => attributes.has(name)),
  );
  expect(unread.map(describeControl)).toEqual([]);
});

/** The tokens of HTML that fields of this site use. */
const TOKENS =
  /^"(off|name|nickname|email|username|username webauthn|current-password|new-password|one-time-code|bday|organization)"$|^\{`bday-\$\{part\}`\}$/;

it("tells browsers of every field what to fill in, or to remember nothing", () => {
  expect(CONTROLS.length).toBeGreaterThan(50);
  const forwards = ({ path, attributes }: Control) =>
    /^(components\/(Email|Password)Field|packages\/ui\/src\/text-field)\.tsx$/.test(path) && attributes.has("...");
  // A browser types nothing into these.
  const isTyped = ({ attributes }: Control) => !/^"(checkbox|radio|file|range)"$/.test(attributes.get("type") ?? "");
  const silent = CONTROLS.filter((control) => isTyped(control) && !forwards(control)).filter(
    ({ attributes }) => !TOKENS.test(attributes.get("autoComplete") ?? ""),
  );
  expect(silent.map(describeControl)).toEqual([]);
});
