import { distanceMeters, type Point } from "@lambda/geo/distance";
import { TextField } from "@lambda/ui/text-field";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { isSubmitKey } from "../../../../components/submit-key.ts";
import { CHUNK_WAIT_MS, withDeadline } from "../../../../device/with-deadline.ts";
import { useFormatDistance } from "../../../../format/distance.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { countryName } from "../../travel/country-name.ts";
import { useMapCopy } from "../copy.ts";
import { type KnownPlace, matchPlaces, SEARCH_MIN_CHARS } from "./place-matches.ts";
import css from "./place-search.module.css";

/**
 * A field that finds towns and quarters by the names in the map's archives. Its text leaves neither the field nor a trace: nothing is sent
 * or stored, and the browser neither remembers nor checks it.
 */
export function PlaceSearch(props: {
  /** Where places are likelier to be meant, and each village is known. */
  near: Point;
  /** Where distances are measured from; `near` without it. */
  from?: Point | null;
  onPlace: (place: KnownPlace) => void;
}) {
  const { near, from, onPlace } = props;
  const copy = useMapCopy();
  const listId = useId();
  const [text, setText] = useState("");
  const { places, failed, load } = usePlaces(near);
  const matches = useMemo(() => (places ? matchPlaces(text, near, places) : []), [places, text, near]);
  const [active, setActive] = useState(0);
  const isAsked = text.trim().length >= SEARCH_MIN_CHARS;
  const isOpen = isAsked && matches.length > 0;
  const optionId = (at: number) => `${listId}-${at}`;

  const change = (next: string) => {
    load();
    setText(next);
    setActive(0);
  };
  const choose = (place: KnownPlace | undefined) => {
    if (!place) return;
    setText("");
    onPlace(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && isOpen) setActive((active + step + matches.length) % matches.length);
    else if (isSubmitKey(event)) choose(matches[active]);
    // Empties the field first, and closes what is around it only then.
    else if (event.key === "Escape" && text !== "") change("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="stack gap-1">
      <TextField
        inputMode="search"
        label={copy.findPlace}
        icon="search"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? optionId(active) : undefined}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        value={text}
        onFocus={load}
        onValue={change}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={copy.findPlace} hidden={!isOpen}>
        {isOpen &&
          matches.map((place, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys, as the focus stays in it
            <div
              key={`${place.name} ${place.lat} ${place.lon}`}
              id={optionId(at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              className={`column film radius-2 ${css.option}`}
              onClick={() => choose(place)}
            >
              <Option place={place} from={from ?? near} />
            </div>
          ))}
      </div>
      <p className={isAsked && !isOpen ? "muted" : "visually-hidden"} role="status">
        {!isAsked ? "" : failed ? copy.placesFailed : !places ? copy.looking : copy.places(matches.length)}
      </p>
    </div>
  );
}

function Option({ place, from }: { place: KnownPlace; from: Point }) {
  const [locale] = useLocale();
  const distance = useFormatDistance();
  const country = place.country && countryName(place.country, locale);
  return (
    <>
      <span className="bold">{place.name}</span>
      <span className="muted">{[country, distance(distanceMeters(from, place))].filter(Boolean).join(" · ")}</span>
    </>
  );
}

/** The names, loaded when they are first asked for and kept as long as the field. */
function usePlaces(near: Point) {
  const [locale] = useLocale();
  const [places, setPlaces] = useState<readonly (readonly KnownPlace[])[]>();
  const [failed, setFailed] = useState(false);
  const isLoading = useRef(false);
  const load = () => {
    if (places || isLoading.current) return;
    isLoading.current = true;
    setFailed(false);
    withDeadline(CHUNK_WAIT_MS, () => import("../engine/map-engine.ts"))
      .then(({ loadPlaces }) => loadPlaces(near, locale))
      .then(setPlaces, () => setFailed(true))
      .finally(() => {
        isLoading.current = false;
      });
  };
  return { places, failed, load };
}
