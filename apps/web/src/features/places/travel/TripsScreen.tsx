import { TRIPS_MAX } from "@lambda/contract/limits";
import type { Trip } from "@lambda/contract/travel";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { Switch } from "@lambda/ui/switch";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { refreshAfter } from "../../../components/use-action.ts";
import { useLocale } from "../../../format/i18n.ts";
import { localToday } from "../../../format/local-today.ts";
import { countryName } from "./country-name.ts";
import { TripForm } from "./TripForm.tsx";
import css from "./travel.module.css";
import { useTripCopy } from "./trip-copy.ts";
import { formatTripDay } from "./trip-days.ts";
import { useComingClosed } from "./use-coming-members.ts";

export default function TripsScreen() {
  const copy = useTripCopy();
  const trips = trpc.travel.trips.useQuery();
  const [adding, setAdding] = useState(false);
  const closed = useComingClosed();
  if (!trips.data) return <QueryState query={trips} failed={copy.loadFailed} shape="rows" />;
  const { items } = trips.data;
  return (
    <div className="stack gap-6 measure">
      <p>{copy.lead}</p>
      {items.length === 0 ? (
        !adding && <p className="muted">{copy.none}</p>
      ) : (
        <section className="stack gap-3" aria-label={copy.list}>
          {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role where list-style is none */}
          <ul role="list" className="stack plain-list">
            {items.map((trip) => (
              <TripRow key={trip.id} trip={trip} />
            ))}
          </ul>
        </section>
      )}
      {adding ? (
        <TripForm onDone={() => setAdding(false)} />
      ) : items.length < TRIPS_MAX ? (
        <div>
          <Button variant="primary" icon="plus" label={copy.add} onClick={() => setAdding(true)} />
        </div>
      ) : (
        <p className="muted">{copy.full}</p>
      )}
      <p className="muted">{copy.erased}</p>
      {closed && <p className="muted">{copy.closed[closed]}</p>}
    </div>
  );
}

function TripRow({ trip }: { trip: Trip }) {
  const copy = useTripCopy();
  const [locale] = useLocale();
  const utils = trpc.useUtils();
  const onSettled = refreshAfter(() => utils.travel.trips.invalidate());
  const { id, country, shown } = trip;
  // The press made last must arrive last.
  const show = trpc.travel.showTrip.useMutation({ onSettled, scope: { id: `trip ${id}` } });
  const remove = trpc.travel.removeTrip.useMutation({ onSettled });
  const name = trip.name || copy.placeUnknown;
  const today = localToday();
  const dates = copy.dates(formatTripDay(trip.from, locale, today), formatTripDay(trip.to, locale, today));
  const setShown = (value: boolean) => show.mutate({ id, shown: value });
  const failure = show.error ?? remove.error;
  return (
    <li className={`stack gap-2 ruled ${css.trip}`}>
      <div className="row gap-3 between">
        <div>
          <div className="bold break-anywhere" dir="auto">
            {name}
          </div>
          <div className="muted">{dates}</div>
        </div>
        <IconButton icon="trash" label={copy.remove(name)} onClick={() => remove.mutate({ id })} />
      </div>
      {country !== null && (
        <Banner tone="warn" action={<Link href="/travel/here">{copy.law}</Link>}>
          {copy.warning(countryName(country, locale))}
        </Banner>
      )}
      {shown === null ? (
        <fieldset className="stack gap-4">
          <legend>{copy.ask}</legend>
          <p className="muted">{copy.askHelp}</p>
          <div className="row wrap gap-3">
            <Button busy={show.isPending && show.variables.shown} label={copy.yes} onClick={() => setShown(true)} />
            <Button busy={show.isPending && !show.variables.shown} label={copy.no} onClick={() => setShown(false)} />
          </div>
        </fieldset>
      ) : (
        <Switch
          label={copy.shown}
          help={copy.askHelp}
          checked={show.isPending ? show.variables.shown : shown}
          onChange={setShown}
        />
      )}
      {failure && <p role="alert">{errorText(failure)}</p>}
    </li>
  );
}
