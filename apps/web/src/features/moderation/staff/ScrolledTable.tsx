import type { ComponentProps, ReactNode } from "react";
import { TableHead } from "../../../components/TableHead.tsx";
import css from "./dashboard.module.css";

interface ScrolledTableProps extends ComponentProps<typeof TableHead> {
  label: string;
  children: ReactNode;
}

/** A table that may be wider, or longer, than its place. */
export function ScrolledTable({ label, columns, children }: ScrolledTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      <table className={css.table}>
        <TableHead columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
