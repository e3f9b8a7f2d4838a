import { Icon } from "@lambda/ui/icon";
import { useMemo } from "react";
import { useCopy } from "../../format/i18n.ts";
import css from "./checked.module.css";
import { checkedCopy } from "./copy.ts";
import { useChecked, useMonthName } from "./use-checked.ts";

/** The badge of a member, which opens to the sentence of what it proves. Nothing if they are not checked. */
export function CheckedLine({ id }: { id: number }) {
  const ids = useMemo(() => [id], [id]);
  const month = useChecked(ids).get(id);
  return month === undefined ? null : <CheckedBadge month={month} />;
}

export function CheckedBadge({ month }: { month: string }) {
  const copy = useCopy(checkedCopy);
  const monthName = useMonthName();
  return (
    <details className={css.badge}>
      <summary>
        <Icon name="shield" size={18} />
        {copy.badge(monthName(month))}
      </summary>
      <p>{copy.proves}</p>
    </details>
  );
}
