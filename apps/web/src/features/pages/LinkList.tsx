import { Link } from "@lambda/ui/link";
import css from "./about.module.css";

/** Links to other pages of the site, one below the other. */
export function LinkList({ links }: { links: readonly { readonly href: string; readonly text: string }[] }) {
  return (
    <ul className={css.links}>
      {links.map(({ href, text }) => (
        <li key={href}>
          <Link href={href}>{text}</Link>
        </li>
      ))}
    </ul>
  );
}
