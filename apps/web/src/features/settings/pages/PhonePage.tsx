import { Folds } from "@lambda/ui/form-section";
import { DisguiseSection } from "../../lock/settings/DisguiseSection.tsx";
import { LockSection } from "../../lock/settings/LockSection.tsx";
import { PlanSection } from "../sections/PlanSection.tsx";
import type { AccountPageProps } from "./pages.ts";

export default function PhonePage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <LockSection />
      <DisguiseSection />
      <PlanSection />
    </Folds>
  );
}
