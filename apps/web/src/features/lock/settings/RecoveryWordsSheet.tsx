import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { isDeclined, useOwnerProof } from "../../accounts/proof/use-owner-proof.tsx";
import { settingsCopy } from "../../settings/copy.ts";
import css from "./lock.module.css";
import { lockCopy } from "./lock-copy.ts";
import { generateRecoveryWords } from "./recovery-words.ts";

interface RecoveryWordsSheetProps {
  onClose: () => void;
  onDone: () => void;
}

/** Shows new recovery words once. They become valid when the member confirms having written them down. */
export function RecoveryWordsSheet({ onClose, onDone }: RecoveryWordsSheetProps) {
  const copy = useCopy(lockCopy);
  const { close } = useCopy(settingsCopy);
  const [locale] = useLocale();
  const [words, setWords] = useState<readonly string[]>([]);
  const setRecoveryWords = trpc.lockdown.setWords.useMutation();
  const owner = useOwnerProof();
  const save = useMutation({
    mutationFn: () => owner.run(() => setRecoveryWords.mutateAsync({ words: words.join(" ") })),
    onSuccess: onDone,
  });

  useEffect(() => {
    let isCancelled = false;
    void generateRecoveryWords(locale).then((generated) => {
      if (!isCancelled) setWords(generated);
    });
    return () => {
      isCancelled = true;
    };
  }, [locale]);

  return (
    <Sheet
      open
      onClose={onClose}
      title={copy.wordsTitle}
      closeLabel={close}
      footer={
        <Button variant="primary" full busy={save.isPending || words.length === 0} onClick={() => save.mutate()}>
          {copy.wordsDone}
        </Button>
      }
    >
      <div className={css.stack}>
        <p>{copy.wordsText}</p>
        <ol className={css.words}>
          {words.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </ol>
        <p className={css.muted}>{copy.wordsKeep}</p>
        {save.error && !isDeclined(save.error) && (
          <p className={css.failure} role="alert">
            {errorText(save.error)}
          </p>
        )}
        {owner.dialog}
      </div>
    </Sheet>
  );
}
