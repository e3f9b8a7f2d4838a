import type { VisitorMap } from "@lambda/contract/visitor-map";
import { Radar } from "@lambda/ui/radar";
import { useEffect, useState } from "react";
import { fetchWithDeadline } from "../../api/fetch-with-deadline.ts";
import css from "./city-map.module.css";

/** The brand's city with how many members are in its districts. The style sheet loads the streets; a drawing stands in where there are none. */
export function CityMap({ labelId }: { labelId: string }) {
  const [rings, setRings] = useState<VisitorMap | null>([]);
  useEffect(() => {
    void fetchWithDeadline("/visitor-map.json")
      .then((response) => response.json() as Promise<VisitorMap>)
      .then(setRings, () => setRings(null));
  }, []);
  if (!rings) return <Radar />;
  return (
    <div className={css.map}>
      <div className={css.streets} />
      {rings.length > 0 && (
        <ul className="plain-list cover" aria-labelledby={labelId}>
          {rings.map(({ x, y, men }) => (
            <li key={x + y} style={{ left: `${x * 100}%`, top: `${y * 100}%` }}>
              {men}+
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
