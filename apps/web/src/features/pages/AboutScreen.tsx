import { BRANDS } from "@lambda/brands";
import { BrandMark } from "@lambda/ui/brand-mark";
import { useLocale } from "../../format/i18n.ts";
import { useBrand } from "../../format/site.ts";
import { Article } from "./Article.tsx";
import { useAboutCopy } from "./copy/about.ts";
import { LinkList } from "./LinkList.tsx";
import css from "./pages.module.css";

const OUTSIDE = { rel: "noopener noreferrer", target: "_blank" };

export default function AboutScreen() {
  const brand = useBrand();
  const copy = useAboutCopy();
  return (
    <Article title={copy.title} lead={copy.lead(brand.name, brand.legalName)} sections={copy.sections}>
      <SisterBrands />
      <Attributions />
      <nav className={css.section} aria-label={copy.more}>
        <h3>{copy.more}</h3>
        <LinkList
          links={[
            { href: "/tos", text: copy.terms },
            { href: "/tos#pp", text: copy.privacy },
            { href: "/support", text: copy.support },
            { href: "/remove-image", text: copy.removeImage },
            { href: "/notice", text: copy.notice },
            { href: "/contactus", text: copy.contact },
            { href: "/billing", text: copy.dues },
            { href: "/transparency", text: copy.transparency },
            { href: "/safety", text: copy.safety },
            { href: "/legalnotice", text: copy.legalNotice },
          ]}
        />
      </nav>
    </Article>
  );
}

function SisterBrands() {
  const copy = useAboutCopy();
  const [locale] = useLocale();
  return (
    <section className={css.section}>
      <h3>{copy.sisters}</h3>
      <p>{copy.sistersText}</p>
      <ul className="stack plain-list">
        {BRANDS.map((sister) => (
          <li key={sister.id} className="row gap-3 ruled tall">
            <BrandMark path={sister.mark} size={28} />
            <span>
              <strong className="block">{sister.name}</strong>
              <span className="muted">{sister.tagline[locale]}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Attributions() {
  const copy = useAboutCopy();
  return (
    <section className={css.section}>
      <h3>{copy.attributions}</h3>
      <dl className={`stack facts ${css.attributions}`}>
        <dt className="bold">{copy.mapData}</dt>
        <dd>
          ©{" "}
          <a href="https://www.openstreetmap.org/copyright" {...OUTSIDE}>
            OpenStreetMap
          </a>{" "}
          contributors (ODbL),{" "}
          <a href="https://protomaps.com" {...OUTSIDE}>
            Protomaps
          </a>
          ,{" "}
          <a href="https://www.naturalearthdata.com" {...OUTSIDE}>
            Natural Earth
          </a>
          ,{" "}
          <a href="https://www.geonames.org" {...OUTSIDE}>
            GeoNames
          </a>{" "}
          (CC BY 4.0)
        </dd>
        <dt className="bold">{copy.mapLibrary}</dt>
        <dd>
          <a href="https://maplibre.org" {...OUTSIDE}>
            MapLibre GL JS
          </a>{" "}
          (BSD)
        </dd>
        <dt className="bold">{copy.images}</dt>
        <dd>
          <a href="https://unsplash.com" {...OUTSIDE}>
            Unsplash
          </a>
          , {copy.imagesText}
        </dd>
        <dt className="bold">{copy.fonts}</dt>
        <dd>Figtree, Fraunces, Bricolage Grotesque, Hepta Slab (SIL OFL)</dd>
      </dl>
    </section>
  );
}
