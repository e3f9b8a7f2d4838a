import type { ErrorBody } from "@lambda/contract/errors";
import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import type { IconName } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { useToast } from "@lambda/ui/toast";
import { type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../../../../api/api-error.ts";
import { documentFetch } from "../../../../api/api-fetch.ts";
import { errorText } from "../../../../api/error-text.ts";
import { fetchWithDeadline } from "../../../../api/fetch-with-deadline.ts";
import { trpc } from "../../../../api/trpc.ts";
import { ConfirmSheet } from "../../../../components/ConfirmSheet.tsx";
import { clearAllLocalData } from "../../../../device/clear-local-data.ts";
import { saveFile } from "../../../../device/save-file.ts";
import { currentLocale } from "../../../../format/i18n.ts";
import { dateAndTime } from "../../../../format/time.ts";
import { useWords } from "../../../../format/words.ts";
import { goTo } from "../../../../routing/navigation.ts";
import { mapPath } from "../../../../routing/paths.ts";
import { useSession } from "../../../../session/session.ts";
import { useReporting } from "../../../places/positions/reporter.ts";
import { PlanWarning } from "../../PlanWarning.tsx";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { useSettingsCopy } from "../copy.ts";
import type { AccountPageProps } from "./pages.ts";

const SHOWN_DIGITS = 4;

/** The device's location and the position others see. The link opens our own map, so no third party learns the position. */
function LocationSection() {
  const { position: copy } = useSettingsCopy();
  const { profileId } = useSession();
  const { use, fix, serverPosition } = useReporting();
  const device =
    use !== "device"
      ? copy.deviceOff
      : fix
        ? copy.deviceAt(fix.lat.toFixed(SHOWN_DIGITS), fix.lon.toFixed(SHOWN_DIGITS))
        : copy.deviceWaiting;
  const shown = serverPosition?.published;
  const where = shown ? copy.reported(shown.lat.toFixed(SHOWN_DIGITS), shown.lon.toFixed(SHOWN_DIGITS)) : copy.nothing;
  return (
    <FormSection id="location" title={copy.device} value={where}>
      <p className="muted">{device}</p>
      <p className="muted">{where}</p>
      {/* Not the device's own position, which the address would leave in the browser's history. */}
      {shown && (
        <p>
          <Link href={mapPath(profileId, shown)}>{copy.openMap}</Link>
        </p>
      )}
    </FormSection>
  );
}

export default function DataPage({ settings: { tsExported }, open }: AccountPageProps) {
  const refresh = trpc.useUtils().settings.get.invalidate;
  const { data: copy, deletion } = useSettingsCopy();
  return (
    <Folds open={open}>
      <FormSection
        id="download"
        title={copy.title}
        text={copy.text}
        value={tsExported && copy.last(dateAndTime(tsExported))}
      >
        {tsExported && <p className="muted">{copy.last(dateAndTime(tsExported))}</p>}
        {/* Requires a proof of identity, because a phone in the wrong hands must not be enough. */}
        <ConfirmedAction
          icon="download"
          label={copy.download}
          title={copy.confirmTitle}
          confirm={{ label: copy.yes, variant: "primary", icon: "download" }}
          busyLabel={copy.preparing}
          onConfirm={async () => {
            await downloadExport();
            await refresh();
          }}
          failureText={() => copy.failed}
        >
          <p>{copy.confirmText}</p>
        </ConfirmedAction>
        <Button href="/import" label={copy.bring} />
      </FormSection>
      <FormSection id="deletion" title={deletion.title} text={deletion.text}>
        <DeleteAccount />
      </FormSection>
      <VersionSection />
      <LocationSection />
    </Folds>
  );
}

async function downloadExport(): Promise<void> {
  const response = await documentFetch("/api/account/export", { method: "POST" });
  if (!response.ok) {
    const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
    throw new ApiError(response.status, body?.error);
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "export.zip";
  saveFile(await response.blob(), name);
}

function DeleteAccount() {
  const { deletion: copy } = useSettingsCopy();
  const toast = useToast();
  const remove = trpc.deletion.request.useMutation({
    onSuccess: async ({ tsPurge }) => {
      const day = new Date(tsPurge).toLocaleDateString(currentLocale(), { dateStyle: "long" });
      const cleared = clearAllLocalData();
      // Leaves first: a request that notices the ended session meanwhile would remember this page for the next login.
      goTo("/login", { replace: true });
      await cleared;
      toast({ text: copy.done(day), ms: 10_000 });
    },
  });
  return (
    <ConfirmedAction
      icon="trash"
      label={copy.action}
      title={copy.confirmTitle}
      confirm={{ label: copy.action, variant: "danger" }}
      onConfirm={() => remove.mutateAsync({})}
      failureText={(error) => `${copy.failed} ${errorText(error)}`}
    >
      <p>{copy.confirmText}</p>
      <PlanWarning />
      <p className="muted">{copy.text}</p>
    </ConfirmedAction>
  );
}

interface Version {
  readonly gitCommitHash: string;
  readonly gitCommitTs: string;
}

/** The builds of the frontend and the backend, for support requests. */
function VersionSection() {
  const { version: copy } = useSettingsCopy();
  const backend = trpc.meta.version.useQuery();
  const frontend = useQuery({
    queryKey: ["version_frontend"],
    queryFn: async (): Promise<Version> => (await fetchWithDeadline("/version_frontend.json")).json(),
  });
  return (
    <FormSection id="version" title={copy.title} value={backend.data?.gitCommitHash.slice(0, 12)}>
      <dl className={"stack facts"}>
        <dt className="bold">{copy.frontend}</dt>
        <Commit of={frontend} />
        <dt className="bold">{copy.backend}</dt>
        <Commit of={backend} />
      </dl>
    </FormSection>
  );
}

function Commit({ of: { data: version, isPending } }: { of: Pick<UseQueryResult<Version>, "data" | "isPending"> }) {
  const { version: copy } = useSettingsCopy();
  const words = useWords();
  if (!version) return <dd>{isPending ? words.loading : copy.unknown}</dd>;
  const time = new Date(version.gitCommitTs);
  return (
    <dd>
      <code className="type-mark">{version.gitCommitHash}</code>
      <br />
      {Number.isNaN(time.getTime()) ? version.gitCommitTs : dateAndTime(version.gitCommitTs)}
    </dd>
  );
}

interface ConfirmedActionProps {
  /** Icon and label of the button that opens the sheet. */
  icon: IconName;
  label: string;
  title: string;
  confirm: { readonly label: string; readonly variant: "primary" | "danger"; readonly icon?: IconName };
  busyLabel?: string;
  /** Rejects if the action failed. */
  onConfirm: () => Promise<unknown>;
  /** The message for a failed action. */
  failureText: (error: unknown) => string;
  children: ReactNode;
}

/** An action that only the account's owner may take: confirmed in a sheet and authorized by a proof of identity. */
function ConfirmedAction(props: ConfirmedActionProps) {
  const { icon, label, title, confirm, busyLabel, onConfirm, failureText, children } = props;
  const [open, setOpen] = useState(false);
  const proof = useOwnerProof();
  const act = useMutation({ mutationFn: () => proof.run(onConfirm), onSuccess: () => setOpen(false) });
  return (
    <>
      <Button icon={icon} aria-haspopup="dialog" label={label} onClick={() => setOpen(true)} />
      <ConfirmSheet
        open={open}
        onClose={() => setOpen(false)}
        title={title}
        action={
          <Button
            variant={confirm.variant}
            {...(confirm.icon && { icon: confirm.icon })}
            busy={act.isPending}
            label={act.isPending && busyLabel ? busyLabel : confirm.label}
            onClick={() => act.mutate()}
          />
        }
      >
        {children}
        <Problem text={act.error && !isDeclined(act.error) && failureText(act.error)} />
      </ConfirmSheet>
      {proof.dialog}
    </>
  );
}
