import { useMemo } from "react";
import { useTonight, useTonightText } from "./use-tonight.ts";

/** What a member said about tonight. Nothing if they are not out. */
export function TonightLine({ id }: { id: number }) {
  const ids = useMemo(() => [id], [id]);
  const text = useTonightText(useTonight(ids).get(id));
  return text === undefined ? null : <p className="accent bold">{text}</p>;
}
