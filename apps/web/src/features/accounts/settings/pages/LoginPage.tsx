import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { Icon } from "@lambda/ui/icon";
import { useMutation } from "@tanstack/react-query";
import { trpcClient } from "../../../../api/client.ts";
import { trpc } from "../../../../api/trpc.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useShowAll } from "../../../../components/use-show-all.tsx";
import { clearAllLocalData } from "../../../../device/clear-local-data.ts";
import { dateAndTime } from "../../../../format/time.ts";
import { goTo } from "../../../../routing/navigation.ts";
import { PlanWarning } from "../../PlanWarning.tsx";
import { PasskeysSection } from "../../passkeys/PasskeysSection.tsx";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { useSettingsCopy } from "../copy.ts";
import { AccountSection } from "../sections/AccountSection.tsx";
import { useLockdownListCopy } from "../sections/lockdown-list-copy.ts";
import { useTakeBack } from "../sections/use-take-back.tsx";
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

function SessionsSection() {
  const { sessions: copy } = useSettingsCopy();
  const onError = useFailureToast();
  const utils = trpc.useUtils();
  const sessions = trpc.sessions.list.useQuery();
  const all = useShowAll(sessions.data?.items ?? []);
  const end = trpc.sessions.end.useMutation({ onSuccess: () => utils.sessions.list.invalidate(), onError });
  const endAll = trpc.sessions.endAll.useMutation({
    onSuccess: async () => {
      const cleared = clearAllLocalData();
      // Leaves first, as after the deletion of the account.
      goTo("/login", { replace: true });
      await cleared;
    },
    onError,
  });
  const takeBack = useTakeBack(copy.endAll, (keep) => endAll.mutate({ keep }));
  return (
    <FormSection
      id="sessions"
      title={copy.title}
      text={copy.text}
      value={sessions.data && copy.count(sessions.data.items.length)}
    >
      {sessions.isLoadingError && <QueryState query={sessions} failed={copy.failed} />}
      <ul className="stack plain-list">
        {all.shown.map((session) => (
          <li key={session.id} className="row gap-3 tall py-2 ruled">
            <Icon name="phone" />
            <span className="grow min-0 break-anywhere">
              {session.deviceLabel}
              <br />
              <span className="muted type-mark">
                {session.thisDevice ? copy.thisDevice : copy.lastUsed(dateAndTime(session.tsLastUsed))} ·{" "}
                {session.brand}
              </span>
            </span>
            {!session.thisDevice && (
              <Button
                aria-label={copy.endName(session.deviceLabel)}
                busy={end.isPending && end.variables.id === session.id}
                label={copy.end}
                onClick={() => end.mutate({ id: session.id })}
              />
            )}
          </li>
        ))}
      </ul>
      {all.button}
      <LockdownList />
      <p className="muted">{copy.endAllText}</p>
      <PlanWarning />
      <Button icon="logout" busy={endAll.isPending} label={copy.endAll} onClick={takeBack.start} />
      {takeBack.sheet}
    </FormSection>
  );
}

/**
 * Second PINs and recovery words, each of which can be removed. Behind a proof and never cached: whoever holds the
 * unlocked phone must not learn that there are any.
 */
function LockdownList() {
  const copy = useLockdownListCopy();
  const showFailure = useFailureToast();
  const proof = useOwnerProof();
  const load = useMutation({
    mutationFn: (change: () => Promise<unknown>) =>
      proof.run(async () => {
        await change();
        return trpcClient.lockdown.list.query();
      }),
    onError: (error) => {
      if (!isDeclined(error)) showFailure(error);
    },
  });
  const list = load.data;
  const when = (time: string | null) =>
    time === null || Date.parse(time) === 0 ? copy.setEarlier : copy.setAt(dateAndTime(time));
  const rows = [
    ...(list?.words
      ? [
          {
            key: "words",
            name: copy.words,
            text: copy.wordsText(when(list.words.tsCreated)),
            remove: () => trpcClient.lockdown.removeWords.mutate(),
          },
        ]
      : []),
    ...(list?.signals ?? []).map(({ id, deviceLabel, hours, tsCreated }) => ({
      key: String(id),
      name: deviceLabel || copy.device,
      text: copy.signalText(hours, when(tsCreated)),
      remove: () => trpcClient.lockdown.removeSignal.mutate({ id }),
    })),
  ];
  return (
    <>
      <Button
        icon="lock"
        busy={load.isPending}
        label={copy.show}
        onClick={() => load.mutate(() => Promise.resolve())}
      />
      {!list && <p className="muted">{copy.text}</p>}
      {list && rows.length === 0 && <p role="status">{copy.none}</p>}
      <ul className="stack plain-list">
        {rows.map(({ key, name, text, remove }) => (
          <li key={key} className="row gap-3 tall py-2 ruled">
            <Icon name="lock" />
            <span className="grow min-0 break-anywhere">
              {name}
              <br />
              <span className="muted type-mark">{text}</span>
            </span>
            <Button aria-label={copy.removeName(name)} label={copy.remove} onClick={() => load.mutate(remove)} />
          </li>
        ))}
      </ul>
      {proof.dialog}
    </>
  );
}
