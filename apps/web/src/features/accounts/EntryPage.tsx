import { BrandMark } from "@lambda/ui/brand-mark";
import { Radar } from "@lambda/ui/radar";
import type { ReactNode } from "react";
import { useBrand } from "../../format/site.ts";
import css from "./entry-page.module.css";

/** Layout of the login, registration and logout pages: the brand and a welcome text on one side, the form on the other. */
export function EntryPage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const brand = useBrand();
  return (
    <div className={`stack gap-5 content-start grow ${css.page}`}>
      <div className={`stack gap-3 relative clip ${css.welcome}`}>
        <div className={`cover ${css.radar}`} aria-hidden="true">
          <Radar />
        </div>
        <BrandMark path={brand.mark} size={44} />
        <h2 className="type-display break-anywhere">{title}</h2>
        <p className="narrow muted">{text}</p>
      </div>
      <div className="stack gap-4 content-start full-width measure">{children}</div>
    </div>
  );
}
