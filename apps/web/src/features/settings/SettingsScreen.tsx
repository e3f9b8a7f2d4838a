import { ErrorState } from "@lambda/ui/error-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { useEffect } from "react";
import { useCopy } from "../../lib/i18n.ts";
import { trpc } from "../../lib/trpc.ts";
import { FirstContactSection } from "../chat/parts/FirstContactSection.tsx";
import { settingsCopy } from "./copy.ts";
import { AccountSection } from "./parts/AccountSection.tsx";
import { BlockedSection } from "./parts/BlockedSection.tsx";
import { DataSection } from "./parts/DataSection.tsx";
import { DeviceSection } from "./parts/DeviceSection.tsx";
import { NotificationsSection } from "./parts/NotificationsSection.tsx";
import { PositionSection } from "./parts/PositionSection.tsx";
import { SessionsSection } from "./parts/SessionsSection.tsx";
import { SharingSection } from "./parts/SharingSection.tsx";
import { VersionSection } from "./parts/VersionSection.tsx";

export default function SettingsScreen() {
  const copy = useCopy(settingsCopy);
  const settings = trpc.settings.get.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });

  const loaded = settings.data !== undefined;
  useEffect(() => {
    const id = location.hash.slice(1);
    if (loaded && id) document.getElementById(id)?.scrollIntoView();
  }, [loaded]);

  if (settings.isError) {
    return <ErrorState title={copy.loadFailed} retryLabel={copy.retry} onRetry={() => settings.refetch()} />;
  }
  if (!settings.data) return <Skeleton shape="rows" label={copy.loading} />;
  return (
    <div>
      <AccountSection settings={settings.data} />
      <DeviceSection />
      <SharingSection settings={settings.data} />
      <PositionSection />
      <NotificationsSection />
      <FirstContactSection />
      <BlockedSection />
      <SessionsSection />
      <DataSection settings={settings.data} />
      <VersionSection />
    </div>
  );
}
