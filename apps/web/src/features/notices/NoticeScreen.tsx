import { useParams } from "wouter";
import { IllegalNotice } from "./IllegalNotice.tsx";
import { Receipt } from "./Receipt.tsx";

/** The form that reports illegal content or, if the URL has a notice's number, the receipt of that notice. */
export default function NoticeScreen() {
  const { ref = "" } = useParams<{ ref?: string }>();
  return ref === "" ? <IllegalNotice /> : <Receipt key={ref} number={ref} />;
}
