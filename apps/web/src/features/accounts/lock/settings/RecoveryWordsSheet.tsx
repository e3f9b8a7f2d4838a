import type { Locale } from "@lambda/contract/accounts";
import { RECOVERY_WORDS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorText } from "../../../../api/error-text.ts";
import { trpc } from "../../../../api/trpc.ts";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { CHUNK_WAIT_MS, withDeadline } from "../../../../device/with-deadline.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import css from "./lock.module.css";
import { useLockCopy } from "./lock-copy.ts";

/** Shows new recovery words once. They become valid when the member confirms having written them down. */
export function RecoveryWordsSheet({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const copy = useLockCopy();
  const [locale] = useLocale();
  const [words, setWords] = useState<readonly string[]>([]);
  const [loadingError, setLoadingError] = useState<unknown>();
  const setRecoveryWords = trpc.lockdown.setWords.useMutation();
  const owner = useOwnerProof();
  const save = useMutation({
    mutationFn: () => owner.run(() => setRecoveryWords.mutateAsync({ words: words.join(" ") })),
    onSuccess: onDone,
  });

  useEffect(() => {
    let isCancelled = false;
    generateRecoveryWords(locale).then((generated) => {
      if (!isCancelled) setWords(generated);
    }, setLoadingError);
    return () => {
      isCancelled = true;
    };
  }, [locale]);

  const failure = loadingError ?? save.error;
  return (
    <ClosableSheet
      open
      onClose={onClose}
      title={copy.wordsTitle}
      footer={
        <Button
          variant="primary"
          full
          disabled={loadingError !== undefined}
          busy={save.isPending || (words.length === 0 && loadingError === undefined)}
          label={copy.wordsDone}
          onClick={() => save.mutate()}
        />
      }
    >
      <div className="stack gap-3">
        <p>{copy.wordsText}</p>
        <ol className={`stack two-columns radius-2 type-lead bold ${css.words}`}>
          {words.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </ol>
        <p className="muted">{copy.wordsKeep}</p>
        {failure != null && !isDeclined(failure) && (
          <p className="danger" role="alert">
            {errorText(failure)}
          </p>
        )}
        {owner.dialog}
      </div>
    </ClosableSheet>
  );
}

/** Picks random words from the BIP 39 list of 2048, which is made for writing down and reading aloud. */
async function generateRecoveryWords(locale: Locale): Promise<string[]> {
  const { wordlist } = await withDeadline(CHUNK_WAIT_MS, () =>
    locale === "es" ? import("@scure/bip39/wordlists/spanish.js") : import("@scure/bip39/wordlists/english.js"),
  );
  // All words are equally likely, because 2048 divides 65536.
  const numbers = crypto.getRandomValues(new Uint16Array(RECOVERY_WORDS));
  return Array.from(numbers, (number) => (wordlist[number % wordlist.length] ?? "").normalize("NFC"));
}
