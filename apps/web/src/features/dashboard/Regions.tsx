import { useQuery } from "@tanstack/react-query";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { fetchRegions } from "../map/data/regions.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

/** The regions with street maps. `npm run streets` adds and removes them. */
export function Regions() {
  const { regions: copy } = useCopy(dashboardCopy);
  const [locale] = useLocale();
  const { data } = useQuery({ queryKey: ["map", "regions"], queryFn: fetchRegions });
  if (!data) return null;
  const formatMegabytes = (bytes: number) => (bytes / 1e6).toLocaleString(locale, { maximumFractionDigits: 1 });
  const formatDay = (time: number) => new Date(time).toLocaleDateString(locale, { dateStyle: "medium" });
  return (
    <section aria-labelledby="map-regions">
      <h2 id="map-regions">{copy.title}</h2>
      {data.length === 0 ? (
        <p className="muted">{copy.none}</p>
      ) : (
        <ul className={`stack gap-2 plain-list ${css.regions}`}>
          {data.map(({ name, bytes, tsInstalled, maxZoom }) => (
            <li key={name}>
              <strong>{name}</strong>
              <span className="muted">{copy.line(formatMegabytes(bytes), formatDay(tsInstalled), maxZoom)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
