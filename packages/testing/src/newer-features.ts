/** Finds what built scripts and styles use although the oldest supported browsers lack it, unless they ask for it first. */
import { createRequire } from "node:module";
import type { CompatData, Identifier, SupportStatement } from "@mdn/browser-compat-data";
import { type AnyNode, parse } from "acorn";
import { fullAncestor } from "acorn-walk";
import postcss, { type AtRule, type ChildNode } from "postcss";

/** The oldest supported version of each browser, by its name in the compatibility data. */
export type Minimum = Readonly<Record<string, number>>;

const data = createRequire(import.meta.url)("@mdn/browser-compat-data") as CompatData;

/** The last edition of JavaScript whose whole grammar Safari 16.4 reads: parsing by it refuses anything newer. */
const EDITION = 2023;

function isSupported(support: SupportStatement | undefined, minimum: number): boolean {
  return [support ?? []].flat().some((statement) => {
    const { version_added: added, version_removed: removed } = statement;
    if (typeof added !== "string" || added === "preview") return false;
    if (typeof removed === "string" && Number.parseFloat(removed) <= minimum) return false;
    if (statement.flags || statement.prefix || statement.alternative_name) return false;
    return Number.parseFloat(added.replace("≤", "")) <= minimum;
  });
}

/** Whether a browser lacks the feature at its oldest version. What the data do not know counts as supported. */
function isNewer(feature: Identifier | undefined, minimum: Minimum): boolean {
  const support = feature?.__compat?.support as Record<string, SupportStatement> | undefined;
  return (
    support !== undefined && Object.entries(minimum).some(([name, version]) => !isSupported(support[name], version))
  );
}

const find = (path: readonly string[]): Identifier | undefined =>
  path.reduce<Identifier | undefined>(
    (at, name) => (at && Object.hasOwn(at, name) ? at[name] : undefined),
    data as never,
  );

/** The members of all interfaces and built-in objects by name, with their object. */
const members = new Map<string, { object: Identifier; member: Identifier }[]>();
const { api, javascript } = data as unknown as Record<"api" | "javascript", Record<string, Record<string, Identifier>>>;
for (const group of [api, javascript.builtins, javascript.builtins?.Intl] as unknown as Record<string, Identifier>[])
  for (const object of Object.values(group))
    for (const [name, member] of Object.entries(object))
      if (name !== "__compat")
        members.set(name, [...(members.get(name) ?? []), { object, member: member as Identifier }]);

const findGlobal = (name: string) =>
  find(["javascript", "builtins", name]) ?? find(["api", name]) ?? find(["api", "Window", name]);
const findStatic = (object: string, name: string) =>
  find(["javascript", "builtins", object, name]) ?? find(["api", object, `${name}_static`]);

interface Names {
  readonly used: Set<string>;
  readonly tested: Set<string>;
  /** Variables, parameters and imports. */
  readonly bound: Set<string>;
  /** Names of our own properties, which say nothing about the browser's. */
  readonly keys: Set<string>;
}

/** What scripts use without a test, as "Global", "Global.member" or ".member", each with the files. */
export function findNewerInScripts(
  scripts: ReadonlyMap<string, string>,
  minimum: Minimum,
  edition = EDITION,
): Map<string, string[]> {
  const read = [...scripts].map(([file, code]) => ({ file, ...readNames(code, edition) }));
  const keys = new Set(read.flatMap((names) => [...names.keys]));
  const found = new Map<string, string[]>();
  for (const { file, used, tested, bound } of read)
    for (const name of used) {
      const [object = "", member] = name.split(".");
      if (tested.has(name) || tested.has(member ?? object) || bound.has(object)) continue;
      if (isNewerName(object, member, keys, minimum)) found.set(name, [...(found.get(name) ?? []), file]);
    }
  return found;
}

function isNewerName(object: string, member: string | undefined, keys: ReadonlySet<string>, minimum: Minimum): boolean {
  if (member === undefined) return isNewer(findGlobal(object), minimum);
  if (object !== "") return isNewer(findStatic(object, member), minimum);
  // Who has an object of a newer interface has used what returns it.
  const known = (members.get(member) ?? []).filter((each) => !isNewer(each.object, minimum));
  return !keys.has(member) && known.length > 0 && known.every((each) => isNewer(each.member, minimum));
}

function readNames(code: string, edition: number): Names {
  const names: Names = { used: new Set(), tested: new Set(), bound: new Set(), keys: new Set() };
  const tree = parse(code, { ecmaVersion: edition as 2023, sourceType: "module" });
  fullAncestor(tree, (node: AnyNode, _state, ancestors: AnyNode[]) => {
    const parent = ancestors.at(-2);
    const note = (name: string) => (isTest(node, parent) ? names.tested : names.used).add(name);
    // A global that is absent reads as undefined from its window.
    const noteOfWindow = (name: string) => (isDereferenced(node, parent) ? names.used : names.tested).add(name);
    switch (node.type) {
      case "BinaryExpression":
        if (node.operator === "in") noteText(node.left, names.tested);
        break;
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        if (parent?.type !== "ObjectPattern" && node.key.type === "Identifier") names.keys.add(node.key.name);
        break;
      case "MemberExpression": {
        if (node.computed || node.property.type !== "Identifier") break;
        const { name } = node.property;
        if (parent?.type === "AssignmentExpression" && parent.left === node) names.keys.add(name);
        const object = node.object.type === "Identifier" ? node.object.name : "";
        if (WINDOWS.has(object)) noteOfWindow(name);
        else note(/^[A-Z]/.test(object) && findGlobal(object) ? `${object}.${name}` : `.${name}`);
        if (isTest(node, parent)) names.tested.add(name);
        break;
      }
      case "Identifier":
        if (isRead(node, parent)) note(node.name);
        break;
      case "VariableDeclarator":
        bind(node.id, names.bound);
        break;
      case "CatchClause":
        bind(node.param, names.bound);
        break;
      case "ClassDeclaration":
      case "ClassExpression":
        bind(node.id, names.bound);
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        for (const part of [node.id, ...node.params]) bind(part, names.bound);
        break;
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        bind(node.local, names.bound);
        break;
    }
  });
  return names;
}

const WINDOWS = new Set(["window", "globalThis", "self"]);

function noteText(node: AnyNode, into: Set<string>): void {
  if (node.type === "Literal" && typeof node.value === "string") into.add(node.value);
  if (node.type === "TemplateLiteral") into.add(node.quasis[0]?.value.cooked ?? "");
}

function bind(node: AnyNode | null | undefined, into: Set<string>): void {
  if (node?.type === "Identifier") into.add(node.name);
  else if (node?.type === "ObjectPattern")
    for (const each of node.properties) bind(each.type === "Property" ? each.value : each.argument, into);
  else if (node?.type === "ArrayPattern") for (const each of node.elements) bind(each, into);
  else if (node?.type === "AssignmentPattern") bind(node.left, into);
  else if (node?.type === "RestElement") bind(node.argument, into);
}

/** Whether a name stands for a value: neither a property's or label's name, nor what is being declared. */
function isRead(node: AnyNode, parent: AnyNode | undefined): boolean {
  switch (parent?.type) {
    case "MemberExpression":
      return parent.object === node || parent.computed;
    case "Property":
      return parent.value === node;
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.value === node || parent.computed;
    case "VariableDeclarator":
      return parent.init === node;
    case "ImportSpecifier":
    case "ExportSpecifier":
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return false;
    default:
      return parent !== undefined;
  }
}

function isDereferenced(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (parent?.type === "MemberExpression") return parent.object === node && !parent.optional;
  return (
    (parent?.type === "CallExpression" || parent?.type === "NewExpression") &&
    parent.callee === node &&
    !isTest(node, parent)
  );
}

/** Whether the expression only asks if something is there: `typeof x`, `x?.y`, `x && y`, `x ? y : z`, `if (x)`, `!x`, `x ?? y`. */
function isTest(node: AnyNode, parent: AnyNode | undefined): boolean {
  switch (parent?.type) {
    case "UnaryExpression":
      return parent.operator === "typeof" || parent.operator === "!";
    case "LogicalExpression":
      return parent.left === node;
    case "ConditionalExpression":
    case "IfStatement":
      return parent.test === node;
    case "MemberExpression":
      return parent.object === node && parent.optional === true;
    case "CallExpression":
      return parent.callee === node && parent.optional === true;
    case "BinaryExpression":
      return /^[!=]==?$/.test(parent.operator);
    default:
      return false;
  }
}

/** What a style sheet uses outside of `@supports` and without an older declaration before it. */
export function findNewerInStyles(code: string, minimum: Minimum): string[] {
  const found = new Set<string>();
  const check = (name: string, ...path: string[]) => {
    if (isNewer(find(["css", ...path]), minimum)) found.add(name);
  };
  postcss.parse(code).walk((node) => {
    if (isInSupports(node)) return;
    if (node.type === "atrule") return check(`@${node.name}`, "at-rules", node.name);
    if (node.type === "rule") {
      for (const [, colons = "", name = ""] of node.selector.matchAll(/(::?)([a-z][a-z-]*)/g))
        check(colons + name, "selectors", name);
      if (node.selector.includes("&")) check("&", "selectors", "nesting");
      return;
    }
    if (node.type !== "decl" || node.prop.startsWith("--")) return;
    const alternatives = [node.prop, `-webkit-${node.prop}`];
    const isOlder = (other: ChildNode) => other !== node && other.type === "decl" && alternatives.includes(other.prop);
    if (node.prop.startsWith("-") || node.parent?.nodes.some(isOlder)) return;
    check(node.prop, "properties", node.prop);
    for (const [value] of node.value.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g))
      if (!found.has(node.prop)) check(`${node.prop}: ${value}`, "properties", node.prop, value);
    for (const [, name = ""] of node.value.matchAll(/([a-z-]+)\(/g))
      for (const group of [[], ["color"], ["gradient"], ["transform-function"], ["easing-function"]])
        check(`${name}()`, "types", ...group, name);
    for (const [, unit = ""] of node.value.matchAll(/\d([a-z]+)\b/g)) check(unit, "types", "length", unit);
  });
  return [...found];
}

function isInSupports(node: ChildNode): boolean {
  for (let at = node.parent; at; at = at.parent as typeof at)
    if (at.type === "atrule" && (at as unknown as AtRule).name === "supports") return true;
  return false;
}
