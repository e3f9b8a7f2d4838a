type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string>>;

/** A piece of the page, which stays as it is while its key does: a reader, a focus and a half-typed PIN are not disturbed. */
export type Part = readonly [key: string, make: () => Node | Promise<Node>];

/** Creates an element. Strings become text nodes, so that the text of a plan is never parsed as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.filter((child): child is Node | string => child !== false && child !== undefined));
  return node;
}
