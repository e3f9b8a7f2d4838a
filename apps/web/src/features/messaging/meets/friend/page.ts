/** The friend's page: polls the state of the plan and shows what to know and do. It needs no account and no library. */
import { MEET_PIN_MAX_DIGITS, MEET_POLL_MS } from "@lambda/contract/limits";
import type { FriendMeetResponse, FriendMeetState } from "@lambda/contract/meets";
import { digitsIn, wrongDigitOf } from "@lambda/contract/typed";
import { digitsOnlyText } from "@lambda/contract/wrong-character";
import { clockTime } from "../../../../format/time.ts";
import type { FriendLocale, PlanText, PositionText } from "../plan-text.ts";
import { pinToken, readerToken, unseal } from "../sealing.ts";
import { callMeetApi } from "./api.ts";
import { element, type Part } from "./element.ts";
import { pageCopy } from "./page-copy.ts";
import { createPoll } from "./poll.ts";
import { isPushSupported, isSubscribedToPush, subscribeToPush, unsubscribeFromPush } from "./push.ts";
import { forgetLink, loadLink, type StoredLink, storeLinkOnDevice } from "./stored-link.ts";
import { addPositions, messageView, type OpenedPlan, POSITIONS, raisedView, safeView, waitingView } from "./views.ts";

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

let shown: readonly (readonly [key: string, node: Node])[] = [];
let wasWaiting = false;
/** A PIN is on its way, or got no answer: it may have raised the alarm. */
let isPinUnanswered = false;
const offline = element("p", { class: "muted", role: "status" }, copy.offline);

/** Makes the parts that are not on the page yet. The function that is returned shows them all and leaves the others where they are. */
async function prepare(parts: readonly Part[]): Promise<() => void> {
  const made = await Promise.all(
    parts.map(async ([key, make]) => [key, shown.find(([known]) => known === key)?.[1] ?? (await make())] as const),
  );
  return () => {
    const isFirst = shown.length === 0;
    const isNew = made[0]?.[0] !== shown[0]?.[0];
    shown = made;
    const nodes = made.map(([, node]) => node);
    for (const node of [...main.childNodes]) if (!nodes.includes(node)) node.remove();
    for (const [index, node] of nodes.entries())
      if (main.childNodes[index] !== node) main.insertBefore(node, main.childNodes[index] ?? null);
    // Not away from a PIN that is being typed.
    if (isNew && !isFirst && !main.contains(document.activeElement)) main.querySelector("h1")?.focus();
  };
}

const pollOf = (link: StoredLink) =>
  createPoll(async (signal) => {
    try {
      const { answer: meet, country } = await callMeetApi<FriendMeetResponse>(
        "read",
        { id: link.id, reader: await readerToken(link) },
        signal,
      );
      const waitMs =
        meet.state === "waiting" ? Math.min(MEET_POLL_MS, meet.alarmAt - meet.now + AFTER_ALARM_MS) : MEET_POLL_MS;
      const show = await prepareMeet(link, meet, country);
      return () => {
        show();
        return meet.state === "over" ? undefined : waitMs;
      };
    } catch {
      signal.throwIfAborted();
      // Whatever came instead of an answer, such as the login page of a hotel's Wi-Fi: the page must go on asking.
      const show = shown.length === 0 ? await prepare(messageView(copy.title, copy.loading)) : undefined;
      return () => {
        show?.();
        main.append(offline);
        return MEET_POLL_MS;
      };
    }
  });

async function prepareMeet(link: StoredLink, meet: FriendMeetState, country: string | null): Promise<() => void> {
  if (meet.state === "over") {
    const [title, text] = wasWaiting ? [copy.ended, copy.endedText] : [copy.over, copy.overText];
    return prepareEnd(link, title, text);
  }
  if (meet.state !== "raised") {
    const parts =
      meet.state === "waiting"
        ? [...waitingView(meet, locale), wakePart(link, meet), ownPart(link)]
        : safeView(meet, locale);
    const show = await prepare(parts);
    return () => {
      wasWaiting ||= meet.state === "waiting";
      document.title = copy.title;
      show();
    };
  }
  const opened = await openPlan(link, meet);
  const show = await prepare([...raisedView(meet, opened, country, locale), ownPart(link)]);
  return () => {
    document.title = `(!) ${copy.title}`;
    show();
    const list = document.getElementById(POSITIONS);
    if (list && opened) addPositions(list, opened.positions, locale);
  };
}

/** Also after either PIN, which look the same, so that an onlooker does not see an alarm being raised. */
async function prepareEnd(link: StoredLink, title = copy.ended, text = copy.endedText): Promise<() => void> {
  const show = await prepare(messageView(title, text));
  return () => {
    document.title = copy.title;
    show();
    forgetLink(link);
    void unsubscribeFromPush(link).catch(() => undefined);
  };
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

const wakePart = (link: StoredLink, meet: Extract<FriendMeetState, { state: "waiting" }>): Part => [
  "wake",
  async () => {
    const time = clockTime(new Date(meet.alarmAt).toISOString(), locale);
    const status = (text: string) => element("p", { class: "muted", role: "status" }, text);
    const key = main.dataset.pushKey ?? "";
    if (!isPushSupported() || key === "") return status(copy.wakeFailed(time));
    const button = element("button", { type: "button" }, copy.wake);
    const place = element("section", {}, button, element("p", { class: "muted" }, copy.wakeText));
    // Whoever reads that the device will be notified closes the page, and with it the link that only the tab has.
    const subscribe = async () => {
      button.disabled = true;
      try {
        await subscribeToPush(link, key, locale);
        // The plan ended while the browser asked.
        if (poll?.isOver()) return void (await unsubscribeFromPush(link).catch(() => undefined));
        place.replaceChildren(status(storeLinkOnDevice(link) ? copy.woken : copy.wakeFailed(time)));
      } catch {
        place.replaceChildren(status(copy.wakeFailed(time)));
      }
    };
    button.addEventListener("click", subscribe);
    if (await isSubscribedToPush(link)) {
      place.replaceChildren(status(copy.working));
      // Again at each opening: others who have the link may have taken its place.
      void subscribe();
    }
    return place;
  },
];

/** For members who lost their phone: the link from their messenger and a PIN end the plan on any device. */
const ownPart = (link: StoredLink): Part => ["own", () => ownView(link)];

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
    // Whoever forces the member to answer must not see what the second PIN does, so nothing is asked until it is known to be wrong.
    isPinUnanswered = true;
    poll?.stop();
    try {
      const pin = await pinToken(link, digitsIn(field.value, MEET_PIN_MAX_DIGITS));
      const reply = await callMeetApi<{ accepted: boolean; triesLeft: number }>("answer", {
        id: link.id,
        reader: await readerToken(link),
        pin,
        act: { type: "fine" },
      });
      field.value = "";
      if (reply.accepted) return await showEnded(link);
      status.textContent = copy.wrong(reply.triesLeft);
      isPinUnanswered = false;
      void poll?.ask();
    } catch (problem) {
      if (problem === 404) return await showEnded(link);
      const isRefused = problem === 429;
      status.textContent = isRefused ? copy.refused : copy.unanswered;
      // Who was refused gave no answer, and an alarm must still come.
      if (isRefused) {
        isPinUnanswered = false;
        void poll?.ask();
      }
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

async function showEnded(link: StoredLink): Promise<void> {
  poll?.end();
  (await prepareEnd(link))();
}

const poll = pageLink && pollOf(pageLink);
// The complete link was opened in the tab of an incomplete one.
addEventListener("hashchange", () => location.reload());
if (!poll) void prepare(messageView(copy.broken, copy.brokenText)).then((show) => show());
else {
  void poll.ask();
  const askAgain = () => document.visibilityState === "visible" && !isPinUnanswered && void poll.ask();
  document.addEventListener("visibilitychange", askAgain);
  addEventListener("online", askAgain);
  navigator.serviceWorker?.addEventListener("message", askAgain);
}
