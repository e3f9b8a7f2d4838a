type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string>>;

/** An element with text as text: nothing that a plan says is ever read as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child): child is Node | string => child !== false && child !== undefined));
  return made;
}
