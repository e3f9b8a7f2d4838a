import { Tabs } from "@lambda/ui/tabs";
import { useSearch } from "wouter";
import { usePhotoCropCopy } from "./copy.ts";
import { RequestCrops } from "./RequestCrops.tsx";
import { SuggestCrops } from "./SuggestCrops.tsx";

export default function PhotoCropScreen() {
  const copy = usePhotoCropCopy();
  const isOwnTab = new URLSearchParams(useSearch()).get("tab") === "mine";
  return (
    <div className="centered measure">
      <Tabs
        label={copy.tabs}
        current={isOwnTab ? "/games/photocrop?tab=mine" : "/games/photocrop"}
        tabs={[
          { href: "/games/photocrop", label: copy.help },
          { href: "/games/photocrop?tab=mine", label: copy.mine },
        ]}
      />
      {isOwnTab ? <RequestCrops /> : <SuggestCrops />}
    </div>
  );
}
