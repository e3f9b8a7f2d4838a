import { Icon } from "@lambda/ui/icon";
import { currentLocale } from "../../format/i18n.ts";
import { useCheckedCopy } from "./copy.ts";
import { useChecked } from "./use-checked.ts";

/** The badge of a member, which opens to the sentence of what it proves. Nothing if they are not checked. */
export function CheckedLine({ id }: { id: number }) {
  const month = useChecked([id]).get(id);
  return month === undefined ? null : <CheckedBadge month={month} />;
}

export function CheckedBadge({ month }: { month: string }) {
  const copy = useCheckedCopy();
  const name = new Date(`${month}-01T00:00:00Z`).toLocaleDateString(currentLocale(), {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return (
    <details className="type-mark">
      <summary className="inline-row gap-1 success bold">
        <Icon name="shield" size={18} />
        {copy.badge(name)}
      </summary>
      <p className="measure muted">{copy.proves}</p>
    </details>
  );
}
