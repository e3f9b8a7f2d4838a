import { BRANDS, type BrandId, getBrand } from "@lambda/brands";
import { useEffect, useState } from "react";
import { BrandMark } from "./brand-mark.tsx";
import { Content } from "./gallery/content.tsx";
import { Controls } from "./gallery/controls.tsx";
import { States } from "./gallery/states.tsx";
import css from "./gallery.module.css";
import { Segmented } from "./segmented.tsx";
import { SkipLink } from "./skip-link.tsx";
import { ToastProvider } from "./toast.tsx";

/** Shows every primitive in every state, brand and theme. Development only. */
export function Gallery() {
  const [brand, setBrand] = useState<BrandId>(
    (document.documentElement.dataset.brand as BrandId | undefined) ?? "ember",
  );
  const [theme, setTheme] = useState<"dark" | "light">(
    document.documentElement.dataset.theme === "light" ? "light" : "dark",
  );
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.brand = brand;
    root.dataset.theme = theme;
  }, [brand, theme]);
  const { name, tagline, mark } = getBrand(brand);
  return (
    <ToastProvider>
      <SkipLink target="gallery">Skip to content</SkipLink>
      <header className={`row wrap gap-3 ruled-below ${css.bar}`}>
        <BrandMark path={mark} size={36} />
        <span className={css.brand}>{name}</span>
        <Segmented
          label="Brand"
          value={brand}
          onChange={setBrand}
          options={BRANDS.map(({ id, name: label }) => ({ value: id, label }))}
        />
        <Segmented
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            { value: "dark", label: "Dark" },
            { value: "light", label: "Light" },
          ]}
        />
      </header>
      <main id="gallery" tabIndex={-1} className={css.page}>
        <h1>{tagline.en}</h1>
        <div className={`stack gap-6 one-column ${css.board}`}>
          <Content />
          <Controls />
          <States />
        </div>
      </main>
    </ToastProvider>
  );
}
