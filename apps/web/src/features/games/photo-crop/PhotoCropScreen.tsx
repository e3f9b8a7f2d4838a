import { Tabs } from "@lambda/ui/tabs";
import { useSearch } from "wouter";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "../games.module.css";
import { CropHelp } from "./CropHelp.tsx";
import { CropMine } from "./CropMine.tsx";

/** Help others to a better crop, or get help. */
export default function PhotoCropScreen() {
  const copy = useCopy(gamesCopy).crop;
  const mine = new URLSearchParams(useSearch()).get("tab") === "mine";
  return (
    <div className={css.column}>
      <Tabs
        label={copy.tabs}
        current={mine ? "/games/photocrop?tab=mine" : "/games/photocrop"}
        tabs={[
          { href: "/games/photocrop", label: copy.help },
          { href: "/games/photocrop?tab=mine", label: copy.mine },
        ]}
      />
      {mine ? <CropMine /> : <CropHelp />}
    </div>
  );
}
