import { FormSection } from "@lambda/ui/form-section";
import { useQuery } from "@tanstack/react-query";
import { fetchWithDeadline } from "../../../api/fetch-with-deadline.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dateAndTime } from "../../../format/time.ts";
import { settingsCopy } from "../copy.ts";
import css from "./settings.module.css";

interface Version {
  readonly gitCommitHash: string;
  readonly gitCommitTs: string;
}

/** The builds of the frontend and the backend, for support requests. */
export function VersionSection() {
  const { version: copy } = useCopy(settingsCopy);
  const backend = trpc.meta.version.useQuery();
  const frontend = useQuery({
    queryKey: ["version_frontend"],
    queryFn: async (): Promise<Version> => (await fetchWithDeadline("/version_frontend.json")).json(),
  });
  return (
    <div id="version">
      <FormSection title={copy.title} value={backend.data?.gitCommitHash.slice(0, 12)}>
        <dl className={css.facts}>
          <dt className="bold">{copy.frontend}</dt>
          <Commit version={frontend.data} />
          <dt className="bold">{copy.backend}</dt>
          <Commit version={backend.data} />
        </dl>
      </FormSection>
    </div>
  );
}

function Commit({ version }: { version: Version | undefined }) {
  const { version: copy } = useCopy(settingsCopy);
  const [locale] = useLocale();
  if (!version) return <dd>{copy.unknown}</dd>;
  const time = new Date(version.gitCommitTs);
  return (
    <dd>
      <code>{version.gitCommitHash}</code>
      <br />
      {Number.isNaN(time.getTime()) ? version.gitCommitTs : dateAndTime(version.gitCommitTs, locale)}
    </dd>
  );
}
