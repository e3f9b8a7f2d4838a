import { useMemo } from "react";
import css from "./tonight.module.css";
import { useTonight, useTonightText } from "./use-tonight.ts";

/** What a member said about tonight. Nothing if they are not out. */
export function TonightLine({ id }: { id: number }) {
  const ids = useMemo(() => [id], [id]);
  const text = useTonightText(useTonight(ids).get(id));
  return text === undefined ? null : <p className={css.line}>{text}</p>;
}
