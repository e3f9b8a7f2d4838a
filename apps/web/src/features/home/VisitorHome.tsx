import { Button } from "@lambda/ui/button";
import { Card, CardDeck } from "@lambda/ui/card";
import { Link } from "@lambda/ui/link";
import { useEffect } from "react";
import { writeDeviceValue } from "../../device/device-storage.ts";
import { INVITED_AREA, parseAreaHash } from "../../device/invited-area.ts";
import { useLocale } from "../../format/i18n.ts";
import { useBrand } from "../../format/site.ts";
import { currentAddress } from "../../routing/address.ts";
import { CityMap } from "./CityMap.tsx";
import { useVisitorCopy } from "./visitor-copy.ts";
import css from "./visitor-home.module.css";

/** Presents the site to new visitors. It must promise only what the software does. */
export default function VisitorHome() {
  const brand = useBrand();
  const { visitor } = useVisitorCopy();
  const [locale] = useLocale();
  const [register, registerText] = visitor.register;
  const [login, loginText] = visitor.login;
  useEffect(() => {
    const invited = parseAreaHash(currentAddress().hash);
    if (invited) writeDeviceValue(INVITED_AREA, invited);
  }, []);
  return (
    <div className={css.page}>
      <section className={`column gap-3 relative clip ${css.hero}`}>
        <div className={`cover ${css.map}`}>
          <CityMap labelId="rings" />
        </div>
        <p className="accent type-name bold font-display">{brand.name}</p>
        <h2 className={css.tagline}>{brand.tagline[locale]}</h2>
        <p className="narrow type-lead">{visitor.lead(brand.firstCity.name)}</p>
        <div className={`wrap gap-3 mt-3 ${css.actions}`}>
          <Button href="/register" variant="primary" label={register} />
          <Button href="/login" label={login} />
        </div>
        <p id="rings" className="muted type-mark narrow">
          {visitor.rings}
        </p>
      </section>
      <ol className={`stack plain-list ${css.promises}`}>
        {visitor.promises.map(([title, text]) => (
          <li key={title} className={`stack gap-1 ruled ${css.promise}`}>
            <h3 className="type-name">{title}</h3>
            <p className="measure muted">{text}</p>
          </li>
        ))}
      </ol>
      <div className={css.cards}>
        <CardDeck>
          <Card href="/login" icon="login" title={login} text={loginText} />
          <Card href="/register" icon="user" title={register} text={registerText} />
        </CardDeck>
      </div>
      <footer className={`stack tap-links muted ${css.foot}`}>
        <span>{visitor.small}</span>
        <Link href="/aboutus">{visitor.about}</Link>
        <Link href="/tos">{visitor.terms}</Link>
        <Link href="/tos#pp">{visitor.privacy}</Link>
        <Link href="/support">{visitor.support}</Link>
        <Link href="/remove-image">{visitor.removeImage}</Link>
        <Link href="/notice">{visitor.notice}</Link>
        <Link href="/legalnotice">{visitor.legalNotice}</Link>
      </footer>
    </div>
  );
}
