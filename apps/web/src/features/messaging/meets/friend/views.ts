import { emergencyNumbers } from "@lambda/contract/emergency-numbers";
import type { FriendMeetState } from "@lambda/contract/meets";
import { dueTime } from "../../../../format/time.ts";
import type { FriendLocale, PlanText, PositionText } from "../plan-text.ts";
import { element, type Part } from "./element.ts";
import { pageCopy } from "./page-copy.ts";

type MeetIn<State extends FriendMeetState["state"]> = Extract<FriendMeetState, { state: State }>;

export interface OpenedPlan {
  readonly text: PlanText;
  readonly positions: readonly (PositionText & { readonly ts: number })[];
}

const heading = (text: string) => element("h1", { tabindex: "-1" }, text);

export function waitingView({ deadline, alarmAt }: MeetIn<"waiting">, locale: FriendLocale): Part[] {
  const copy = pageCopy[locale];
  const times = () =>
    element(
      "section",
      { class: "card" },
      element("p", {}, copy.waitingText),
      element("p", { class: "time" }, dueTime(deadline, locale)),
      element("p", {}, copy.opens(dueTime(alarmAt, locale))),
    );
  return [
    ["waiting", () => heading(copy.waiting)],
    [`times ${deadline} ${alarmAt}`, times],
    ["sealed", () => element("p", { class: "muted" }, copy.sealed)],
  ];
}

export function raisedView(
  meet: MeetIn<"raised">,
  opened: OpenedPlan | undefined,
  country: string | null,
  locale: FriendLocale,
): Part[] {
  const copy = pageCopy[locale];
  const byPin = meet.reason === "pin";
  const why = byPin ? copy.help : copy.silence;
  const steps = byPin
    ? [copy.helpStepCall, copy.helpStepNot, copy.helpStepStay]
    : [copy.stepCall, copy.stepMessage, copy.stepPolice];
  const alarm = () =>
    element(
      "section",
      { class: "alarm", role: "alert" },
      heading(copy.alarm),
      element("p", {}, why(dueTime(meet.raisedAt, locale))),
    );
  const stepList = () =>
    element(
      "section",
      {},
      element("h2", {}, copy.steps),
      element("ol", {}, ...steps.map((step) => element("li", {}, step))),
    );
  const plan: Part = opened
    ? [`plan ${opened.positions.length > 0}`, () => planView(opened, locale)]
    : ["unreadable", () => element("p", { class: "card" }, copy.unreadable)];
  return [
    [`alarm ${meet.reason} ${meet.raisedAt}`, alarm],
    [`steps ${meet.reason}`, stepList],
    [`emergency ${country}`, () => emergencyView([opened?.text.country, country], locale)],
    plan,
    [`erased ${meet.erasedAt}`, () => element("p", { class: "muted" }, copy.erased(dueTime(meet.erasedAt, locale)))],
  ];
}

export function safeView({ safeAt }: MeetIn<"safe">, locale: FriendLocale): Part[] {
  const copy = pageCopy[locale];
  return messageView(copy.safe, copy.safeText(dueTime(safeAt, locale)));
}

export const messageView = (title: string, text: string): Part[] => [
  [title, () => heading(title)],
  [text, () => element("p", { class: "card" }, text)],
];

function planView({ text, positions }: OpenedPlan, locale: FriendLocale): HTMLElement {
  const copy = pageCopy[locale];
  const row = (name: string, ...value: (Node | string)[]) => [element("dt", {}, name), element("dd", {}, ...value)];
  const rows = [
    ...(text.me ? row(copy.me, text.me) : []),
    ...(text.who ? row(copy.who, text.who) : []),
    ...(text.where ? row(copy.where, text.where) : []),
    ...(text.note ? row(copy.note, text.note) : []),
    ...(text.point ? row(copy.start, mapLink(text.point, locale)) : []),
  ];
  if (positions.length > 0) {
    const list = element("ol", { id: POSITIONS });
    addPositions(list, positions, locale);
    rows.push(...row(copy.positions, list));
  }
  return element("section", { class: "card" }, element("h2", {}, copy.plan), element("dl", {}, ...rows));
}

export const POSITIONS = "positions";

/** Puts the newest first, and leaves those that are there alone. */
export function addPositions(list: Element, positions: OpenedPlan["positions"], locale: FriendLocale): void {
  const newest = Number(list.firstElementChild?.getAttribute("data-ts") ?? 0);
  for (const position of positions.filter(({ ts }) => ts > newest)) {
    const time = `${dueTime(position.ts, locale)}: `;
    list.prepend(element("li", { "data-ts": `${position.ts}` }, time, mapLink(position, locale)));
  }
}

const COORDINATE_DECIMALS = 5;

/** A `geo:` link for the phone's own map, and a link to OpenStreetMap. No map service is contacted before one is pressed. */
function mapLink({ lat, lon }: PositionText, locale: FriendLocale): HTMLElement {
  const point = `${Number(lat).toFixed(COORDINATE_DECIMALS)},${Number(lon).toFixed(COORDINATE_DECIMALS)}`;
  const address = `https://www.openstreetmap.org/?mlat=${point.replace(",", "&mlon=")}&zoom=17`;
  return element(
    "span",
    {},
    element("a", { href: `geo:${point}?q=${point}` }, point),
    " · ",
    element("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, pageCopy[locale].map),
  );
}

/** Emergency numbers of the plan's country and of the country where this page is read. */
function emergencyView(countries: readonly (string | null | undefined)[], locale: FriendLocale): HTMLElement {
  const copy = pageCopy[locale];
  const [planCountry, ownCountry] = countries.map((country) =>
    /^[A-Z]{2}$/.test(country ?? "") ? country : undefined,
  );
  const groups = [
    ...(planCountry ? emergencyCalls(copy.inPlace(countryName(planCountry, locale)), planCountry, locale) : []),
    ...(ownCountry && ownCountry !== planCountry
      ? emergencyCalls(copy.inYours(countryName(ownCountry, locale)), ownCountry, locale)
      : []),
    ...(planCountry || ownCountry ? [] : emergencyCalls(copy.anywhere, "", locale)),
  ];
  return element(
    "section",
    { class: "card" },
    element("h2", {}, copy.emergency),
    ...groups,
    element("p", { class: "muted" }, copy.abroad),
  );
}

function emergencyCalls(title: string, country: string, locale: FriendLocale): Node[] {
  const copy = pageCopy[locale];
  const { police, ambulance } = emergencyNumbers(country);
  const call = (name: string, number: string) => element("a", { href: `tel:${number}` }, `${name} ${number}`);
  const calls =
    police === ambulance ? [call(copy.all, police)] : [call(copy.police, police), call(copy.ambulance, ambulance)];
  return [element("p", {}, title), element("p", { class: "calls" }, ...calls)];
}

function countryName(country: string, locale: FriendLocale): string {
  try {
    return new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country;
  } catch {
    return country;
  }
}
