import { Link } from "@lambda/ui/link";

export function LinkList({ links }: { links: readonly { readonly href: string; readonly text: string }[] }) {
  return (
    <ul className="stack plain-list">
      {links.map(({ href, text }) => (
        <li key={href}>
          <Link className="tap-target" href={href}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
