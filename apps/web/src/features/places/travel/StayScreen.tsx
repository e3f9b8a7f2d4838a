import {
  findPunishingCountry,
  type LawCode,
  PUNISHING,
  type PunishingCountry,
  REVIEWED_ON,
} from "@lambda/contract/punishing";
import type { Stay } from "@lambda/contract/travel";
import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Link } from "@lambda/ui/link";
import { RadioGroup } from "@lambda/ui/radio-group";
import { type ReactNode, useId, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { currentLocale, useLocale } from "../../../format/i18n.ts";
import { countryName } from "./country-name.ts";
import { HELP_LINES } from "./help-lines.ts";
import { useStayCopy } from "./stay-copy.ts";
import css from "./travel.module.css";

const EXTERNAL_LINK = { rel: "noopener noreferrer", target: "_blank" };

export default function StayScreen() {
  const whereabouts = trpc.travel.whereabouts.useQuery();
  const copy = useStayCopy();
  const { data } = whereabouts;
  if (!data) return <QueryState query={whereabouts} failed={copy.failed} />;
  const { stay } = data;
  const entry = findPunishingCountry(stay?.country);
  return (
    <div className="stack gap-6 measure">
      {stay ? (
        <header className="stack gap-3">
          <h2 className="type-title">{copy.title(countryName(stay.country, currentLocale()))}</h2>
          <p>{stay.chosen ? copy.chosen : copy.calm}</p>
        </header>
      ) : (
        <p>{copy.nowhere}</p>
      )}
      {stay && <Choice key={stay.country} stay={stay} />}
      {entry && (
        <Section title={copy.law}>
          <p>{lawText(entry, copy)}</p>
          <p className="muted">{copy.unverified}</p>
          <p>
            <a href="https://database.ilga.org" {...EXTERNAL_LINK}>
              {copy.lookUp}
            </a>
          </p>
        </Section>
      )}
      <Section title={copy.device}>
        <p>{copy.deviceText}</p>
        <p>
          <Link href="/settings#disguise">{copy.disguise}</Link>
        </p>
      </Section>
      <Section title={copy.help}>
        <ul className="stack gap-2">
          {HELP_LINES.map(({ key, name, url, source }) => (
            <li key={key}>
              {name && url && (
                <a href={url} {...EXTERNAL_LINK}>
                  {name}
                </a>
              )}
              {name ? `: ${copy.lines[key]}` : copy.lines[key]}
              {name && source === null && <span className="muted"> ({copy.unchecked})</span>}
            </li>
          ))}
        </ul>
        <p className="muted">{copy.helpText}</p>
      </Section>
      <CountryTable />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="stack gap-3" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Choice({ stay }: { stay: Stay }) {
  const copy = useStayCopy();
  const utils = trpc.useUtils();
  const [choice, setChoice] = useState({ shown: stay.shown, withdrawn: stay.withdrawn, muted: stay.muted });
  const choose = trpc.travel.choose.useMutation({
    onSuccess: async (whereabouts) => {
      utils.travel.whereabouts.setData(undefined, whereabouts);
      await utils.accounts.session.invalidate();
    },
  });
  const isSaved = stay.chosen && (["shown", "withdrawn", "muted"] as const).every((key) => stay[key] === choice[key]);
  return (
    <section className={`stack gap-4 raised radius-3 ${css.choice}`}>
      <h2>{copy.choose}</h2>
      <RadioGroup
        label={copy.shown}
        value={choice.shown}
        onChange={(shown) => setChoice({ ...choice, shown })}
        options={(["hidden", "city", "usual"] as const).map((value) => ({ value, ...copy.options[value] }))}
      />
      <Checkbox
        label={copy.withdrawn}
        help={copy.withdrawnHelp}
        checked={choice.withdrawn}
        onValue={(withdrawn) => setChoice({ ...choice, withdrawn })}
      />
      <Checkbox
        label={copy.muted}
        help={copy.mutedHelp}
        checked={choice.muted}
        onValue={(muted) => setChoice({ ...choice, muted })}
      />
      <Problem text={choose.isError && copy.failed} />
      <div className="row wrap gap-3">
        <Button variant="primary" busy={choose.isPending} label={copy.save} onClick={() => choose.mutate(choice)} />
        <span role="status" className="muted">
          {isSaved && !choose.isPending ? copy.saved : ""}
        </span>
      </div>
      <p className="muted">{copy.notThere}</p>
    </section>
  );
}

/** The laws of all countries in the table, for members who plan a trip. */
function CountryTable() {
  const copy = useStayCopy();
  const [locale] = useLocale();
  const rows = PUNISHING.map((entry) => ({ entry, name: countryName(entry.country, locale) })).sort((one, other) =>
    one.name.localeCompare(other.name, locale),
  );
  return (
    <details className={css.table}>
      <summary>{copy.table}</summary>
      <p className="muted">
        {copy.tableText} {REVIEWED_ON === null ? copy.notReviewed : copy.reviewed(REVIEWED_ON)}
      </p>
      <dl>
        {rows.map(({ entry, name }) => (
          <div key={entry.country}>
            <dt className="bold">{name}</dt>
            <dd className="muted">{lawText(entry, copy)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

type Words = ReturnType<typeof useStayCopy>;

/** The law of a country in the member's language. Names of laws that exist only there are not translated. */
function lawText(entry: PunishingCountry, copy: Words): string {
  const { code, articles, maximum, kind, also } = entry;
  const name = code in copy.codes ? copy.codes[code as LawCode] : code;
  const law = articles ? `${name}, ${articles}` : name;
  const maximumText = typeof maximum === "number" ? copy.years(maximum) : copy.maximum[maximum];
  return [copy[kind](law, maximumText), also && copy.also[also]].filter(Boolean).join(" ");
}
