import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { useMutation } from "@tanstack/react-query";
import { trpcClient } from "../../../../api/client.ts";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { dateAndTime } from "../../../../format/time.ts";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { useLockdownListCopy } from "./lockdown-list-copy.ts";

/**
 * Second PINs and recovery words, each of which can be removed. Behind a proof and never cached: whoever holds the
 * unlocked phone must not learn that there are any.
 */
export function LockdownList() {
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
      <div>
        <Button
          icon="lock"
          busy={load.isPending}
          label={copy.show}
          onClick={() => load.mutate(() => Promise.resolve())}
        />
      </div>
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
