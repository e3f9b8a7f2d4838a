import { ErrorState } from "@lambda/ui/error-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { useEffect } from "react";
import { trpc } from "../../api/trpc.ts";
import { useCopy } from "../../format/i18n.ts";
import { PasskeysSection } from "../accounts/passkeys/PasskeysSection.tsx";
import { DisguiseSection } from "../lock/settings/DisguiseSection.tsx";
import { LockSection } from "../lock/settings/LockSection.tsx";
import { settingsCopy } from "./copy.ts";
import { AccountSection } from "./sections/AccountSection.tsx";
import { BlockedSection } from "./sections/BlockedSection.tsx";
import { DataSection } from "./sections/DataSection.tsx";
import { DeviceSection } from "./sections/DeviceSection.tsx";
import { FirstContactSection } from "./sections/FirstContactSection.tsx";
import { NotificationsSection } from "./sections/NotificationsSection.tsx";
import { PictureCoverSection } from "./sections/PictureCoverSection.tsx";
import { PositionSection } from "./sections/PositionSection.tsx";
import { SessionsSection } from "./sections/SessionsSection.tsx";
import { SharingSection } from "./sections/SharingSection.tsx";
import { TravelSection } from "./sections/TravelSection.tsx";
import { UnwantedWordsSection } from "./sections/UnwantedWordsSection.tsx";
import { VersionSection } from "./sections/VersionSection.tsx";
import { VisibilitySection } from "./sections/VisibilitySection.tsx";

export default function SettingsScreen() {
  const copy = useCopy(settingsCopy);
  const settings = trpc.settings.get.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });

  const loaded = settings.data !== undefined;
  useEffect(() => {
    const id = location.hash.slice(1);
    if (loaded && id) document.getElementById(id)?.scrollIntoView();
  }, [loaded]);

  if (settings.isLoadingError) {
    return <ErrorState title={copy.loadFailed} retryLabel={copy.retry} onRetry={() => settings.refetch()} />;
  }
  if (!settings.data) return <Skeleton shape="rows" label={copy.loading} />;
  return (
    <div>
      <AccountSection settings={settings.data} />
      <PasskeysSection />
      <DeviceSection />
      <LockSection />
      <DisguiseSection />
      <VisibilitySection settings={settings.data} />
      <SharingSection settings={settings.data} />
      <PositionSection />
      <TravelSection />
      <NotificationsSection />
      <FirstContactSection />
      <PictureCoverSection />
      <UnwantedWordsSection />
      <BlockedSection />
      <SessionsSection />
      <DataSection />
      <VersionSection />
    </div>
  );
}
