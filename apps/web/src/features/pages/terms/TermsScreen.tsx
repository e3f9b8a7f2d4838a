import { BRANDS } from "@lambda/brands";
import { useEffect } from "react";
import { useLocale } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { Article } from "../Article.tsx";
import { termsEn } from "./terms-en.ts";
import { termsEs } from "./terms-es.ts";

/** Terms of service, and the privacy policy at the anchor pp. */
export default function TermsScreen() {
  const brand = useBrand();
  const [locale] = useLocale();
  const sisters = new Intl.ListFormat(locale).format(
    BRANDS.filter((other) => other.id !== brand.id).map((other) => other.name),
  );
  const { terms, privacy } = (locale === "es" ? termsEs : termsEn)({ ...brand, sisters });

  // The browser looked for the anchor before this screen was drawn; a link within the site does not look at all.
  useEffect(() => {
    const show = () => {
      const id = location.hash.slice(1);
      if (id) document.getElementById(id)?.scrollIntoView();
    };
    const frame = requestAnimationFrame(show);
    addEventListener("hashchange", show);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("hashchange", show);
    };
  }, []);

  return (
    <>
      <Article {...terms} />
      <Article {...privacy} id="pp" />
    </>
  );
}
