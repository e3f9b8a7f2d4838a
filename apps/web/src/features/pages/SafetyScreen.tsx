import { Link } from "@lambda/ui/link";
import { useCopy } from "../../format/i18n.ts";
import { Article } from "./Article.tsx";
import css from "./about.module.css";
import { safetyCopy } from "./copy/safety.ts";

/** The safety policy that laws on dating services require us to publish: rules, enforcement and advice. */
export default function SafetyScreen() {
  const copy = useCopy(safetyCopy);
  return (
    <Article title={copy.title} sections={copy.sections}>
      <ul className={css.links}>
        <li>
          <Link href="/notice">{copy.notice}</Link>
        </li>
        <li>
          <Link href="/remove-image">{copy.removeImage}</Link>
        </li>
        <li>
          <Link href="/tos">{copy.terms}</Link>
        </li>
      </ul>
    </Article>
  );
}
