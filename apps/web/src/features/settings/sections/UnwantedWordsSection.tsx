import { UNWANTED_WORD_MAX_CHARS, UNWANTED_WORDS_MAX } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { Form } from "../../../components/Form.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useChatPreferences } from "../../../components/use-chat-preferences.ts";
import { usePagesCopy } from "../pages-copy.ts";
import { useUnwantedCopy } from "./unwanted-copy.ts";

/** Account page section: words that the member does not want to read in first messages. */
export function UnwantedWordsSection() {
  const copy = useUnwantedCopy();
  const { none } = usePagesCopy();
  const { query, preferences, save, isSaving } = useChatPreferences();
  const [text, setText] = useState("");
  const words = preferences?.unwantedWords ?? [];
  const add = () => {
    const word = text.trim();
    if (word === "") return;
    save(
      (known) => ({ unwantedWords: [...new Set([...known.unwantedWords, word])] }),
      () => setText(""),
    );
  };
  const remove = (word: string) =>
    save(({ unwantedWords }) => ({ unwantedWords: unwantedWords.filter((other) => other !== word) }));
  return (
    <div id="words">
      <FormSection title={copy.title} text={copy.text} value={words.length || none}>
        {!preferences && <QueryState compact query={query} />}
        <Form className="stack gap-3" onSubmit={add} noValidate>
          <TextField
            label={copy.label}
            value={text}
            maxLength={UNWANTED_WORD_MAX_CHARS}
            autoComplete="off"
            autoCapitalize="none"
            onValue={setText}
          />
          <div>
            <Button
              type="submit"
              busy={isSaving}
              disabled={!preferences || words.length >= UNWANTED_WORDS_MAX}
              label={copy.add}
            />
          </div>
        </Form>
        <ul className="stack plain-list">
          {words.map((word) => (
            <li key={word} className="row gap-3 tall py-2 ruled">
              <span className="grow min-0 break-anywhere">{word}</span>
              <Button aria-label={copy.remove(word)} label={copy.removeShort} onClick={() => remove(word)} />
            </li>
          ))}
        </ul>
      </FormSection>
    </div>
  );
}
