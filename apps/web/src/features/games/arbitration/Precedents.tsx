import type { Rule } from "@lambda/contract/moderation";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Select } from "@lambda/ui/select";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useDebounced } from "../../../components/use-debounced.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import css from "./arbitration.module.css";
import { arbitrationCopy } from "./copy.ts";

export function Precedents() {
  const copy = useCopy(arbitrationCopy);
  const rules = useCopy(ruleCopy);
  const [locale] = useLocale();
  const [category, setCategory] = useState<Rule | "">("");
  const [text, setText] = useState("");
  const searchText = useDebounced(text);
  const query = trpc.arbitration.precedents.useQuery(
    { text: searchText, ...(category && { category }) },
    { placeholderData: (previous) => previous },
  );
  return (
    <div className={css.seat}>
      <div className={`stack gap-3 ${css.search}`}>
        <TextField
          autoComplete="off"
          label={copy.search}
          icon="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Select
          label={copy.all}
          value={category}
          onChange={(event) => setCategory(event.target.value as Rule | "")}
          options={[
            { value: "", label: copy.all },
            ...Object.entries(rules).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      {!query.data && <QueryState query={query} shape="rows" />}
      {query.data?.items.length === 0 && <p className="muted">{copy.noPrecedents}</p>}
      {query.data?.items.map((item) => (
        <article key={item.tsDecided + item.summary} className={`stack gap-2 items-start ruled-below ${css.precedent}`}>
          <header className="flex gap-3 between align-baseline full-width">
            <h3>{rules[item.category]}</h3>
            <span>{copy.outcome[item.outcome]}</span>
          </header>
          <p>{item.summary}</p>
          <time dateTime={item.tsDecided} className="muted">
            {new Date(item.tsDecided).toLocaleDateString(locale, { dateStyle: "medium" })}
          </time>
        </article>
      ))}
    </div>
  );
}
