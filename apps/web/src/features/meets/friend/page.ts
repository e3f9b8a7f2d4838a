/** The friend's page: asks calmly how the plan stands, and draws what there is to know and to do. It needs no account and no library. */
import { MEET_PIN_MAX_DIGITS, MEET_POLL_MS } from "@lambda/contract/limits";
import type { FriendAnswer, FriendMeet } from "@lambda/contract/meets";
import { clockTime } from "../../../format/time.ts";
import type { FriendLocale, PlanText, PositionText } from "../plan-text.ts";
import { pinToken, readerToken, unseal } from "../sealing.ts";
import { call } from "./call.ts";
import { element } from "./element.ts";
import { forgetLink, type KeptLink, keepOnDevice, takeLink } from "./kept-link.ts";
import { pageCopy } from "./page-copy.ts";
import { heading, type OpenedPlan, raisedView, safeView, waitingView } from "./views.ts";
import { canWake, isAwaited, startWaking, stopWaking } from "./wake.ts";

/** Just after the alarm's time, so that the page opens with it. */
const AFTER_ALARM_MS = 400;

const found = document.querySelector<HTMLElement>("#page");
if (!found) throw new Error("the page has no #page");
const main = found;
const link = takeLink();
const locale: FriendLocale = link?.locale ?? (document.documentElement.lang === "es" ? "es" : "en");
const copy = pageCopy[locale];
document.documentElement.lang = locale;
document.title = copy.title;

let timer: ReturnType<typeof setTimeout> | undefined;
let drawn = "";
let wasWaiting = false;

/** Draws once for each news, so that a reader, a half-typed PIN or a pressed finger is not disturbed every few seconds. */
function show(state: string, nodes: readonly Node[]): void {
  offline.remove();
  if (state === drawn) return;
  const isFirst = drawn === "";
  drawn = state;
  main.replaceChildren(...nodes);
  if (!isFirst) main.querySelector("h1")?.focus();
}

const offline = element("p", { class: "muted", role: "status" }, copy.offline);
const message = (title: string, text: string) => [heading(title), element("p", { class: "card" }, text)];

async function look(kept: KeptLink): Promise<void> {
  clearTimeout(timer);
  let wait = MEET_POLL_MS;
  try {
    const { answer, country } = await call<FriendMeet>("read", { id: kept.id, reader: await readerToken(kept) });
    if (answer.state === "waiting") wait = Math.min(wait, answer.alarmAt - answer.now + AFTER_ALARM_MS);
    await draw(kept, answer, country);
    if (answer.state === "over") return;
  } catch (problem) {
    if (drawn === "") show("loading", message(copy.title, copy.loading));
    if (typeof problem !== "number") throw problem;
    main.append(offline);
  }
  timer = setTimeout(() => void look(kept), Math.max(wait, 0));
}

async function draw(kept: KeptLink, answer: FriendAnswer, country: string | null): Promise<void> {
  if (answer.state === "waiting") {
    wasWaiting = true;
    const state = `waiting ${answer.deadline}`;
    if (state !== drawn) show(state, [...waitingView(answer, locale), await wakeView(kept, answer), ownView(kept)]);
  }
  if (answer.state === "raised") {
    const state = `raised ${answer.reason} ${answer.positions.at(-1)?.ts ?? 0}`;
    if (state === drawn) return show(state, []);
    document.title = `(!) ${copy.title}`;
    show(state, [...raisedView(answer, await openPlan(kept, answer), country, locale), ownView(kept)]);
  } else {
    document.title = copy.title;
  }
  if (answer.state === "safe") show("safe", safeView(answer, locale));
  if (answer.state === "over") {
    show("over", wasWaiting ? message(copy.ended, copy.endedText) : message(copy.over, copy.overText));
    forgetLink(kept);
    await stopWaking(kept).catch(() => undefined);
  }
}

async function openPlan(kept: KeptLink, answer: Extract<FriendAnswer, { state: "raised" }>) {
  try {
    const text = await unseal<PlanText>(kept, "plan", answer.plan);
    const positions: OpenedPlan["positions"][number][] = [];
    for (const { ts, position } of answer.positions) {
      const point = await unseal<PositionText>(kept, "position", position).catch(() => undefined);
      if (point) positions.push({ ts, ...point });
    }
    return { text, positions };
  } catch {
    return undefined;
  }
}

async function wakeView(kept: KeptLink, answer: Extract<FriendAnswer, { state: "waiting" }>): Promise<Node> {
  const time = clockTime(new Date(answer.alarmAt).toISOString(), locale);
  const said = (text: string) => element("p", { class: "muted", role: "status" }, text);
  const key = main.dataset.pushKey ?? "";
  if (await isAwaited(kept)) return said(copy.woken);
  if (!canWake() || key === "") return said(copy.wakeFailed(time));
  const button = element("button", { type: "button" }, copy.wake);
  const place = element("section", {}, button, element("p", { class: "muted" }, copy.wakeText));
  button.addEventListener("click", () => {
    button.disabled = true;
    startWaking(kept, key, locale).then(
      () => {
        keepOnDevice(kept);
        place.replaceChildren(said(copy.woken));
      },
      () => place.replaceChildren(said(copy.wakeFailed(time))),
    );
  });
  return place;
}

/** The way of somebody whose phone is lost: the link from the messenger and the PIN end the plan from any device. */
function ownView(kept: KeptLink): Node {
  const field = element("input", {
    id: "pin",
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: String(MEET_PIN_MAX_DIGITS),
    required: "",
  });
  const button = element("button", { type: "submit", class: "quiet" }, copy.fine);
  const said = element("p", { role: "status" });
  const form = element("form", {}, element("label", { for: "pin" }, copy.pin), field, button, said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    said.textContent = copy.working;
    try {
      const pin = await pinToken(kept, field.value);
      const reply = await call<{ accepted: boolean; triesLeft: number }>("answer", {
        id: kept.id,
        reader: await readerToken(kept),
        pin,
        act: { type: "fine" },
      });
      field.value = "";
      if (reply.accepted) return showEnded(kept);
      said.textContent = copy.wrong(reply.triesLeft);
    } catch (problem) {
      if (problem === 404) return showEnded(kept);
      said.textContent = copy.offline;
    }
    button.disabled = false;
  });
  return element(
    "details",
    {},
    element("summary", {}, copy.mine),
    element("div", { class: "card" }, element("p", {}, copy.mineText), form),
  );
}

/** The same after either PIN: who looks on must not see an alarm open. */
function showEnded(kept: KeptLink): void {
  clearTimeout(timer);
  document.title = copy.title;
  show("ended here", message(copy.ended, copy.endedText));
  forgetLink(kept);
  void stopWaking(kept).catch(() => undefined);
}

// The whole link after a part of it, in the same tab.
addEventListener("hashchange", () => location.reload());
if (!link) show("broken", message(copy.broken, copy.brokenText));
else {
  void look(link);
  const lookNow = () => drawn !== "ended here" && drawn !== "over" && document.visibilityState === "visible";
  document.addEventListener("visibilitychange", () => lookNow() && void look(link));
  addEventListener("online", () => lookNow() && void look(link));
  navigator.serviceWorker?.addEventListener("message", () => lookNow() && void look(link));
}
