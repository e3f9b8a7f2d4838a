/** The friend's page: polls the state of the plan and shows what to know and do. It needs no account and no library. */
import { MEET_PIN_MAX_DIGITS, MEET_POLL_MS } from "@lambda/contract/limits";
import type { FriendMeetResponse, FriendMeetState } from "@lambda/contract/meets";
import { digitsIn, wrongDigitOf } from "@lambda/contract/typed";
import { digitsOnlyText } from "@lambda/contract/wrong-character";
import { clockTime } from "../../../../format/time.ts";
import type { FriendLocale, PlanText, PositionText } from "../plan-text.ts";
import { pinToken, readerToken, unseal } from "../sealing.ts";
import { callMeetApi } from "./api.ts";
import { element } from "./element.ts";
import { pageCopy } from "./page-copy.ts";
import { isPushSupported, isSubscribedToPush, subscribeToPush, unsubscribeFromPush } from "./push.ts";
import { forgetLink, loadLink, type StoredLink, storeLinkOnDevice } from "./stored-link.ts";
import { heading, type OpenedPlan, raisedView, safeView, waitingView } from "./views.ts";

/** Polls just after the alarm is due, so that the page opens on time. */
const AFTER_ALARM_MS = 400;

const pageElement = document.querySelector<HTMLElement>("#page");
if (!pageElement) throw new Error("the page has no #page");
const main = pageElement;
const pageLink = loadLink();
const locale: FriendLocale = pageLink?.locale ?? (document.documentElement.lang === "es" ? "es" : "en");
const copy = pageCopy[locale];
document.documentElement.lang = locale;
document.title = copy.title;

let timer: ReturnType<typeof setTimeout> | undefined;
let renderedState = "";
let wasWaiting = false;

/** Renders only if the state changed, so that polling does not disturb a reader, a half-typed PIN or a press. */
function render(state: string, nodes: readonly Node[]): void {
  offline.remove();
  if (state === renderedState) return;
  const isFirst = renderedState === "";
  renderedState = state;
  main.replaceChildren(...nodes);
  if (!isFirst) main.querySelector("h1")?.focus();
}

const offline = element("p", { class: "muted", role: "status" }, copy.offline);
const messageView = (title: string, text: string) => [heading(title), element("p", { class: "card" }, text)];

async function poll(link: StoredLink): Promise<void> {
  clearTimeout(timer);
  let wait = MEET_POLL_MS;
  let isOver = false;
  try {
    const { answer: meet, country } = await callMeetApi<FriendMeetResponse>("read", {
      id: link.id,
      reader: await readerToken(link),
    });
    if (meet.state === "waiting") wait = Math.min(wait, meet.alarmAt - meet.now + AFTER_ALARM_MS);
    await renderMeet(link, meet, country);
    isOver = meet.state === "over";
  } catch {
    // Whatever came instead of an answer, such as the login page of a hotel's Wi-Fi: the page must go on asking.
    wait = MEET_POLL_MS;
    if (renderedState === "") render("loading", messageView(copy.title, copy.loading));
    main.append(offline);
  } finally {
    if (!isOver) timer = setTimeout(() => void poll(link), Math.max(wait, 0));
  }
}

async function renderMeet(link: StoredLink, meet: FriendMeetState, country: string | null): Promise<void> {
  if (meet.state === "waiting") {
    wasWaiting = true;
    const state = `waiting ${meet.deadline}`;
    if (state !== renderedState)
      render(state, [...waitingView(meet, locale), await wakeView(link, meet), ownView(link)]);
  }
  if (meet.state === "raised") {
    const state = `raised ${meet.reason} ${meet.positions[meet.positions.length - 1]?.ts ?? 0}`;
    if (state === renderedState) return render(state, []);
    document.title = `(!) ${copy.title}`;
    render(state, [...raisedView(meet, await openPlan(link, meet), country, locale), ownView(link)]);
  } else {
    document.title = copy.title;
  }
  if (meet.state === "safe") render("safe", safeView(meet, locale));
  if (meet.state === "over") {
    render("over", wasWaiting ? messageView(copy.ended, copy.endedText) : messageView(copy.over, copy.overText));
    forgetLink(link);
    await unsubscribeFromPush(link).catch(() => undefined);
  }
}

async function openPlan(link: StoredLink, meet: Extract<FriendMeetState, { state: "raised" }>) {
  try {
    const text = await unseal<PlanText>(link, "plan", meet.plan);
    const positions: OpenedPlan["positions"][number][] = [];
    for (const { ts, position } of meet.positions) {
      const point = await unseal<PositionText>(link, "position", position).catch(() => undefined);
      if (point) positions.push({ ts, ...point });
    }
    return { text, positions };
  } catch {
    return undefined;
  }
}

async function wakeView(link: StoredLink, meet: Extract<FriendMeetState, { state: "waiting" }>): Promise<Node> {
  const time = clockTime(new Date(meet.alarmAt).toISOString(), locale);
  const status = (text: string) => element("p", { class: "muted", role: "status" }, text);
  const key = main.dataset.pushKey ?? "";
  if (await isSubscribedToPush(link)) return status(copy.woken);
  if (!isPushSupported() || key === "") return status(copy.wakeFailed(time));
  const button = element("button", { type: "button" }, copy.wake);
  const place = element("section", {}, button, element("p", { class: "muted" }, copy.wakeText));
  button.addEventListener("click", () => {
    button.disabled = true;
    subscribeToPush(link, key, locale).then(
      () => {
        storeLinkOnDevice(link);
        place.replaceChildren(status(copy.woken));
      },
      () => place.replaceChildren(status(copy.wakeFailed(time))),
    );
  });
  return place;
}

/** For members who lost their phone: the link from their messenger and a PIN end the plan on any device. */
function ownView(link: StoredLink): Node {
  const field = element("input", {
    id: "pin",
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    required: "",
  });
  const button = element("button", { type: "submit", class: "quiet" }, copy.fine);
  const status = element("p", { role: "status" });
  const form = element("form", {}, element("label", { for: "pin" }, copy.pin), field, button, status);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const stray = wrongDigitOf(field.value);
    if (stray) {
      status.textContent = digitsOnlyText(stray, locale);
      return;
    }
    button.disabled = true;
    status.textContent = copy.working;
    try {
      const pin = await pinToken(link, digitsIn(field.value, MEET_PIN_MAX_DIGITS));
      const reply = await callMeetApi<{ accepted: boolean; triesLeft: number }>("answer", {
        id: link.id,
        reader: await readerToken(link),
        pin,
        act: { type: "fine" },
      });
      field.value = "";
      if (reply.accepted) return showEnded(link);
      status.textContent = copy.wrong(reply.triesLeft);
    } catch (problem) {
      if (problem === 404) return showEnded(link);
      status.textContent = copy.offline;
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

/** Looks the same after either PIN, so that an onlooker does not see an alarm being raised. */
function showEnded(link: StoredLink): void {
  clearTimeout(timer);
  document.title = copy.title;
  render("ended here", messageView(copy.ended, copy.endedText));
  forgetLink(link);
  void unsubscribeFromPush(link).catch(() => undefined);
}

// The complete link was opened in the tab of an incomplete one.
addEventListener("hashchange", () => location.reload());
if (!pageLink) render("broken", messageView(copy.broken, copy.brokenText));
else {
  void poll(pageLink);
  const canPoll = () =>
    renderedState !== "ended here" && renderedState !== "over" && document.visibilityState === "visible";
  document.addEventListener("visibilitychange", () => canPoll() && void poll(pageLink));
  addEventListener("online", () => canPoll() && void poll(pageLink));
  navigator.serviceWorker?.addEventListener("message", () => canPoll() && void poll(pageLink));
}
