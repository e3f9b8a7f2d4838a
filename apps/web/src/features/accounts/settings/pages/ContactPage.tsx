import { AGE_MIN_YEARS, UNWANTED_WORD_MAX_CHARS, UNWANTED_WORDS_MAX } from "@lambda/contract/limits";
import type { FirstContact, PictureCover } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { Select } from "@lambda/ui/select";
import { Switch } from "@lambda/ui/switch";
import { TextField } from "@lambda/ui/text-field";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { trpc } from "../../../../api/trpc.ts";
import { Form } from "../../../../components/Form.tsx";
import { LoadMore } from "../../../../components/LoadMore.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useChatPreferences } from "../../../../components/use-chat-preferences.ts";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useShowAll } from "../../../../components/use-show-all.tsx";
import { displayName } from "../../../../format/display-name.ts";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { useSettingsCopy } from "../copy.ts";
import { usePagesCopy } from "../pages-copy.ts";
import { useFirstContactCopy } from "../sections/first-contact-copy.ts";
import { usePictureCoverCopy } from "../sections/picture-cover-copy.ts";
import { useUnwantedCopy } from "../sections/unwanted-copy.ts";
import { useFirstContactValue } from "../use-row-values.ts";
import type { AccountPageProps } from "./pages.ts";

export default function ContactPage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <FirstContactSection />
      <PictureCoverSection />
      <UnwantedWordsSection />
      <BlockedSection />
    </Folds>
  );
}

function PictureCoverSection() {
  const copy = usePictureCoverCopy();
  const { query, preferences, save } = useChatPreferences();
  return (
    <FormSection
      id="covers"
      title={copy.title}
      text={copy.text}
      value={preferences && copy.covers[preferences.coverPictures]}
    >
      {preferences ? (
        <Select
          label={copy.label}
          value={preferences.coverPictures}
          options={(Object.keys(copy.covers) as PictureCover[]).map((value) => ({
            value,
            label: copy.covers[value],
          }))}
          onValue={(coverPictures) => save(() => ({ coverPictures }))}
        />
      ) : (
        <QueryState compact query={query} />
      )}
    </FormSection>
  );
}

function BlockedSection() {
  const { blocked: copy } = useSettingsCopy();
  const utils = trpc.useUtils();
  const blocks = trpc.blocks.list.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  const showFailure = useFailureToast();
  const proof = useOwnerProof();
  const undo = useMutation({
    mutationFn: (member: { profileId: number }) => proof.run(() => trpcClient.blocks.undo.mutate(member)),
    // The unblocked member may reappear on any screen.
    onSuccess: () => utils.invalidate(),
    onError: (error) => {
      if (!isDeclined(error)) showFailure(error);
    },
  });
  const members = blocks.data?.pages.flatMap((page) => page.items) ?? [];
  const all = useShowAll(members);
  return (
    <FormSection
      id="blocked"
      title={copy.title}
      text={copy.text}
      value={blocks.isSuccess && (blocks.hasNextPage ? `${members.length}+` : members.length)}
    >
      {blocks.isLoadingError && <QueryState compact query={blocks} />}
      {blocks.isSuccess && members.length === 0 && <p className="muted">{copy.none}</p>}
      <ul className="stack plain-list">
        {all.shown.map(({ profileId, profileName }) => (
          <li key={profileId} className="row gap-3 tall py-2 ruled">
            <span className="grow min-0 break-anywhere">
              {profileName === null ? <span className="muted">{copy.gone}</span> : displayName(profileName)}
            </span>
            <Button
              aria-label={copy.undoName(profileName ?? copy.gone)}
              busy={undo.isPending && undo.variables.profileId === profileId}
              label={copy.undo}
              onClick={() => undo.mutate({ profileId })}
            />
          </li>
        ))}
      </ul>
      {all.button}
      {!all.button && <LoadMore query={blocks} />}
      {proof.dialog}
    </FormSection>
  );
}

const AGES = Array.from({ length: 15 }, (_, step) => AGE_MIN_YEARS + (step < 8 ? step : 7 + (step - 7) * 5));
const KILOMETERS = [5, 10, 25, 50, 100, 250, 1000];

function FirstContactSection() {
  const copy = useFirstContactCopy();
  const { query, preferences, save } = useChatPreferences();
  const change = (changes: Partial<FirstContact>) =>
    save(({ firstContact }) => ({ firstContact: { ...firstContact, ...changes } }));
  const choice = (
    current: FirstContact,
    key: "ageMin" | "ageMax" | "distanceMaxMetres",
    values: number[],
    unit: (value: number) => string,
  ) => (
    <Select
      label={copy[key]}
      disabled={current.matchesOnly}
      value={String(current[key] ?? "")}
      options={[
        { value: "", label: copy.any },
        ...values.map((value) => ({ value: String(value), label: unit(value) })),
      ]}
      onValue={(value) => change({ [key]: value === "" ? null : Number(value) })}
    />
  );
  const fields = (current: FirstContact) => (
    <>
      <Switch
        label={copy.matchesOnly}
        help={copy.matchesOnlyHelp}
        checked={current.matchesOnly}
        onChange={(matchesOnly) => change({ matchesOnly })}
      />
      <Switch
        label={copy.checkedOnly}
        help={copy.checkedOnlyHelp}
        checked={current.checkedOnly}
        disabled={current.matchesOnly}
        onChange={(checkedOnly) => change({ checkedOnly })}
      />
      {choice(current, "ageMin", AGES, copy.years)}
      {choice(current, "ageMax", AGES, copy.years)}
      {choice(
        current,
        "distanceMaxMetres",
        KILOMETERS.map((km) => km * 1000),
        (meters) => copy.kilometres(meters / 1000),
      )}
    </>
  );
  return (
    <FormSection id="first" title={copy.title} text={copy.text} value={useFirstContactValue()}>
      {preferences ? fields(preferences.firstContact) : <QueryState compact query={query} shape="rows" />}
    </FormSection>
  );
}

/** Account page section: words that the member does not want to read in first messages. */
function UnwantedWordsSection() {
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
    <FormSection id="words" title={copy.title} text={copy.text} value={words.length || none}>
      {!preferences && <QueryState compact query={query} />}
      <Form className="stack gap-3 letter" onSubmit={add} noValidate>
        <TextField
          label={copy.label}
          value={text}
          maxLength={UNWANTED_WORD_MAX_CHARS}
          autoComplete="off"
          autoCapitalize="none"
          onValue={setText}
        />
        <Button
          type="submit"
          busy={isSaving}
          disabled={!preferences || words.length >= UNWANTED_WORDS_MAX}
          label={copy.add}
        />
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
  );
}
