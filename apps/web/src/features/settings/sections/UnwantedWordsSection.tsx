import { UNWANTED_WORD_MAX_CHARS, UNWANTED_WORDS_MAX } from "@lambda/contract/limits";
import { FormSection } from "@lambda/ui/form-section";
import { useChatPreferences } from "../../../components/use-chat-preferences.ts";
import { useCopy } from "../../../format/i18n.ts";
import { RemovableList } from "./RemovableList.tsx";
import { unwantedCopy } from "./unwanted-copy.ts";

/** Account page section: words that the member does not want to read in first messages. */
export function UnwantedWordsSection() {
  const { words: copy } = useCopy(unwantedCopy);
  const { preferences, save, isSaving } = useChatPreferences();
  const words = preferences?.unwantedWords ?? [];
  return (
    <FormSection title={copy.title} text={copy.text}>
      <RemovableList
        items={words.map((word) => ({ key: word, text: word }))}
        label={copy.label}
        addLabel={copy.add}
        removeLabel={copy.remove}
        maxLength={UNWANTED_WORD_MAX_CHARS}
        busy={isSaving}
        full={!preferences || words.length >= UNWANTED_WORDS_MAX}
        onAdd={(word, done) => save((known) => ({ unwantedWords: [...new Set([...known.unwantedWords, word])] }), done)}
        onRemove={(word) =>
          save(({ unwantedWords }) => ({ unwantedWords: unwantedWords.filter((other) => other !== word) }))
        }
      />
    </FormSection>
  );
}
