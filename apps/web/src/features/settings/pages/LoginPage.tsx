import { Folds } from "@lambda/ui/form-section";
import { PasskeysSection } from "../../accounts/passkeys/PasskeysSection.tsx";
import { AccountSection } from "../sections/AccountSection.tsx";
import { SessionsSection } from "../sections/SessionsSection.tsx";
import type { AccountPageProps } from "./pages.ts";

export default function LoginPage({ settings, open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <AccountSection settings={settings} />
      <PasskeysSection />
      <SessionsSection />
    </Folds>
  );
}
