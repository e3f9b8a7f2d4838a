import { isolate } from "@lambda/contract/isolate";
import { NOTE_SEARCH_MAX_CHARS } from "@lambda/contract/limits";
import type { ListedNote } from "@lambda/contract/notes";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { EmptyState } from "@lambda/ui/empty-state";
import { ListRow } from "@lambda/ui/list-row";
import { TextField } from "@lambda/ui/text-field";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { LoadMore } from "../../../components/LoadMore.tsx";
import { MemberAvatar } from "../../../components/MemberAvatar.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useDebounced } from "../../../components/use-debounced.ts";
import { displayName } from "../../../format/display-name.ts";
import { shortTime } from "../../../format/time.ts";
import css from "./notes.module.css";
import { useNotesCopy } from "./notes-copy.ts";

/** Searchable list of the viewer's notes and tags. A note about a currently invisible member shows its text, but not the name. */
export default function NotesScreen() {
  const copy = useNotesCopy();
  const { text, setText, tag, setTag, clear, notes, items, isSearching } = useNoteSearch();
  const { data: tags } = trpc.notes.tags.useQuery();
  if (!notes.data || (notes.isError && items.length === 0))
    return <QueryState query={notes} failed={copy.failed} shape="rows" label={copy.loading} />;
  if (items.length === 0 && !isSearching) {
    return (
      <EmptyState
        figure="hello"
        title={copy.empty}
        text={copy.emptyHint}
        action={<Button href="/search/tile" label={copy.look} />}
      />
    );
  }
  return (
    <div className={`stack gap-4 ${css.screen}`}>
      <TextField
        autoComplete="off"
        label={copy.search}
        icon="search"
        type="search"
        maxLength={NOTE_SEARCH_MAX_CHARS}
        value={text}
        onValue={setText}
      />
      <TagFilter tags={tags?.items ?? []} chosen={tag} onChoose={setTag} />
      {items.length === 0 ? (
        <EmptyState figure="cactus" title={copy.noMatch} action={<Button label={copy.clear} onClick={clear} />} />
      ) : (
        <NoteList notes={items} />
      )}
      <LoadMore query={notes} />
    </div>
  );
}

function useNoteSearch() {
  const [text, setText] = useState("");
  const [tag, setTag] = useState<string>();
  const searchText = useDebounced(text.trim());
  const notes = trpc.notes.list.useInfiniteQuery(
    { ...(searchText && { text: searchText }), ...(tag !== undefined && { tag }) },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
  );
  const items = useMemo(() => notes.data?.pages.flatMap((page) => page.items) ?? [], [notes.data]);
  const isSearching = text !== "" || searchText !== "" || tag !== undefined;
  const clear = () => {
    setText("");
    setTag(undefined);
  };
  return { text, setText, tag, setTag, clear, notes, items, isSearching };
}

interface TagFilterProps {
  tags: RouterOutputs["notes"]["tags"]["items"];
  chosen: string | undefined;
  onChoose: (tag: string | undefined) => void;
}

function TagFilter({ tags, chosen, onChoose }: TagFilterProps) {
  const copy = useNotesCopy();
  if (tags.length === 0) return null;
  return (
    <ChipRow label={copy.tags}>
      {tags.map(({ tag, count }) => (
        <Chip
          key={tag}
          selected={tag === chosen}
          label={`${tag} · ${count}`}
          onToggle={(selected) => onChoose(selected ? tag : undefined)}
        />
      ))}
    </ChipRow>
  );
}

function NoteList({ notes }: { notes: readonly ListedNote[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role where list-style is none
    <ul role="list" className="plain-list edge-rows">
      {notes.map((note) => (
        <li key={note.aboutProfileId}>
          <NoteRow note={note} />
        </li>
      ))}
    </ul>
  );
}

function NoteRow({ note }: { note: ListedNote }) {
  const copy = useNotesCopy();
  const { about } = note;
  const name = about ? displayName(about.profileName) : copy.gone;
  const tags = note.privateTags.map((tag) => isolate(`#${tag}`)).join(" ");
  return (
    <ListRow
      {...(about && { href: `/profile/${note.aboutProfileId}` })}
      leading={<MemberAvatar name={about ? name : ""} picture={about?.profilePicIds[0]} />}
      title={name}
      text={[note.bodyText, tags].filter(Boolean).join(" ")}
      time={shortTime(note.tsUpdated)}
      dateTime={note.tsUpdated}
    />
  );
}
