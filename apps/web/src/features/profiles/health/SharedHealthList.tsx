import type { SharedHealth } from "@lambda/contract/health";
import { currentLocale } from "../../../format/i18n.ts";
import { useProfileCopy } from "../copy.ts";
import css from "./health.module.css";
import { useHealthCopy } from "./health-copy.ts";

/** The parts of a member's health panel that this viewer may see; renders nothing if there are none. */
export function SharedHealthList({ health }: { health: SharedHealth }) {
  const copy = useHealthCopy();
  const { health: title } = useProfileCopy();
  const { hivStatus, prep, doxyPep, vaccines, lastTestMonth } = health;
  const lines = [
    hivStatus && ([copy.hivStatus, copy.hiv[hivStatus]] as const),
    prep && ([copy.prep, copy.prepWays[prep]] as const),
    doxyPep && ([copy.doxyPep, copy.doxy[doxyPep]] as const),
    vaccines && ([copy.vaccines, vaccines.map((name) => copy.vaccineNames[name]).join(", ")] as const),
    lastTestMonth &&
      ([
        copy.lastTest,
        new Date(`${lastTestMonth}-15T12:00:00Z`).toLocaleDateString(currentLocale(), {
          month: "long",
          year: "numeric",
        }),
      ] as const),
  ].filter((line) => typeof line === "object");
  if (lines.length === 0) return null;
  return (
    <section className="stack gap-2" aria-label={title}>
      <h2 className="type-lead">{title}</h2>
      <dl className={`stack ${css.list}`}>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt className="muted type-mark">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {hivStatus === "undetectable" && <p className="muted type-mark">{copy.uu}</p>}
    </section>
  );
}
