import { useParams } from "wouter";
import { IllegalNotice } from "./IllegalNotice.tsx";
import { Receipt } from "./Receipt.tsx";

/** The form for illegal content; with a number, the receipt of any notice. */
export default function NoticeScreen() {
  const { ref = "" } = useParams<{ ref?: string }>();
  return ref === "" ? <IllegalNotice /> : <Receipt key={ref} number={ref} />;
}
