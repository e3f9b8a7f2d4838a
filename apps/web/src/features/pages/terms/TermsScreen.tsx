import { BRANDS } from "@lambda/brands";
import { useEffect } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useLocale } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { currentAddress } from "../../../routing/address.ts";
import { Article } from "../Article.tsx";
import { termsEn } from "./terms-en.ts";
import { termsEs } from "./terms-es.ts";

/** Shown only if the operator has configured an age verification provider. */
const PROVIDER = {
  en: (name: string) =>
    `Proof of age: if you choose ${name}, you are led to its pages. It learns that you come from here, and tells us that you are over 18 and a number of yours there, of which we keep a hash.`,
  es: (name: string) =>
    `Prueba de edad: si eliges ${name}, te llevamos a sus páginas. Sabrá que vienes de aquí y nos dirá que tienes más de 18 años y un número tuyo de allí, del que guardamos un hash.`,
};

/** The terms of service, followed by the privacy policy at #pp. */
export default function TermsScreen() {
  const brand = useBrand();
  const [locale] = useLocale();
  const sisters = new Intl.ListFormat(locale).format(
    BRANDS.filter((other) => other.id !== brand.id).map((other) => other.name),
  );
  const { terms, privacy } = (locale === "es" ? termsEs : termsEn)({ ...brand, sisters });

  const age = trpc.age.status.useQuery();
  const provider = age.data?.methods.find((method) => method.provider !== null)?.provider;

  // The browser looks for the anchor before this screen is rendered, and the router ignores hashes.
  useEffect(() => {
    const scrollToHash = () => {
      const id = currentAddress().hash.slice(1);
      if (id) document.getElementById(id)?.scrollIntoView();
    };
    const frame = requestAnimationFrame(scrollToHash);
    addEventListener("hashchange", scrollToHash);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("hashchange", scrollToHash);
    };
  }, []);

  return (
    <>
      <Article {...terms} />
      <Article {...privacy} id="pp" />
      {age.isLoadingError && <QueryState compact query={age} />}
      {provider && <p>{PROVIDER[locale](provider)}</p>}
    </>
  );
}
