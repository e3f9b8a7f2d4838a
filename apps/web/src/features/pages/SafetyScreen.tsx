import { Article } from "./Article.tsx";
import { useSafetyCopy } from "./copy/safety.ts";
import { LinkList } from "./LinkList.tsx";

/** The safety policy that laws on dating services require us to publish: rules, enforcement and advice. */
export default function SafetyScreen() {
  const copy = useSafetyCopy();
  return (
    <Article title={copy.title} sections={copy.sections}>
      <LinkList
        links={[
          { href: "/notice", text: copy.notice },
          { href: "/remove-image", text: copy.removeImage },
          { href: "/tos", text: copy.terms },
        ]}
      />
    </Article>
  );
}
