import { Tabs } from "@lambda/ui/tabs";
import { useSearch } from "wouter";
import { useCopy } from "../../../format/i18n.ts";
import { arbitrationCopy } from "./copy.ts";
import { JuryDuty } from "./JuryDuty.tsx";
import { MyReports } from "./MyReports.tsx";
import { Precedents } from "./Precedents.tsx";

export default function ArbitrationScreen() {
  const copy = useCopy(arbitrationCopy);
  const tab = new URLSearchParams(useSearch()).get("tab");
  const path = "/games/arbitration";
  const current = tab === "precedents" || tab === "mine" ? `${path}?tab=${tab}` : path;
  return (
    <div className="centered measure">
      <Tabs
        label={copy.tabs}
        current={current}
        tabs={[
          { href: path, label: copy.cases },
          { href: `${path}?tab=precedents`, label: copy.precedents },
          { href: `${path}?tab=mine`, label: copy.mine },
        ]}
      />
      {tab === "precedents" ? <Precedents /> : tab === "mine" ? <MyReports /> : <JuryDuty />}
    </div>
  );
}
