import { Link } from "@lambda/ui/link";
import type { ReactNode } from "react";
import { currentLocale } from "../../format/i18n.ts";
import { useBrand } from "../../format/site.ts";
import { Article } from "./Article.tsx";
import { useLegalNoticeCopy } from "./copy/legal-notice.ts";
import { LinkList } from "./LinkList.tsx";
import css from "./pages.module.css";

/** The operator and the points of contact that the law requires a site to publish. */
export default function LegalNoticeScreen() {
  const { name, legalName, operatorAddress, contact } = useBrand();
  const copy = useLegalNoticeCopy();
  const languages = new Intl.DisplayNames(currentLocale(), { type: "language" });
  const languagesText = copy.languages(
    new Intl.ListFormat(currentLocale()).format(contact.languages.map((code) => languages.of(code) ?? code)),
  );
  const textOrMissing = (text: string) => (text === "" ? <em>{copy.missing}</em> : text);
  return (
    <Article title={copy.title} lead={copy.lead(name, legalName)} sections={[]}>
      <Section title={copy.operator}>
        <p>{legalName}</p>
        <p>{textOrMissing(contact.post)}</p>
      </Section>
      <Section title={copy.users}>
        <p>{copy.usersText}</p>
        <p>
          <Mail address={operatorAddress} /> · <Link href="/support">{copy.form}</Link>
        </p>
        <p>{languagesText}</p>
      </Section>
      <Section title={copy.authorities}>
        <p>{copy.authoritiesText}</p>
        <p>{contact.authorities === "" ? <em>{copy.missing}</em> : <Mail address={contact.authorities} />}</p>
        <p>{languagesText}</p>
      </Section>
      <Section title={copy.representative}>
        <p>{contact.representative === null ? copy.none : textOrMissing(contact.representative)}</p>
      </Section>
      <Section title={copy.reports}>
        <p>{copy.reportsText}</p>
        <LinkList
          links={[
            { href: "/notice", text: copy.notice },
            { href: "/remove-image", text: copy.removeImage },
            { href: "/transparency", text: copy.transparency },
            { href: "/safety", text: copy.safety },
            { href: "/tos", text: copy.terms },
          ]}
        />
      </Section>
    </Article>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Mail({ address }: { address: string }) {
  return <a href={`mailto:${address}`}>{address}</a>;
}
