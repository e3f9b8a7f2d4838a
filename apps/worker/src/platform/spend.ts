/** Counts what the doors of metering/doors.ts let through: for the request that used them, and in development for the whole isolate. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Billed, microdollarsOf, PRICES } from "@lambda/contract/prices";

/** What one request used. Work after the answer belongs to it too. */
export class RequestMeter {
  /** Whether the isolate's total in development counts it. */
  readonly isInTotal: boolean;

  /** Millionths of a dollar, without what others are charged for. */
  #price = 0;
  #charge: ((price: number) => void) | undefined;

  constructor(isInTotal: boolean) {
    this.isInTotal = isInTotal;
  }

  add(price: number): void {
    if (this.#charge) this.#charge(price);
    else this.#price += price;
  }

  /** Charges what was used until now and whatever follows. */
  chargeTo(charge: (price: number) => void): void {
    this.#charge = charge;
    charge(this.#price);
    this.#price = 0;
  }
}

const current = new AsyncLocalStorage<RequestMeter>();

/** Runs a request whose use of the doors is counted. */
export const withRequestMeter = <Result>(run: () => Result, isInTotal = true): Result =>
  current.run(new RequestMeter(isInTotal), run);

export const requestMeter = (): RequestMeter | undefined => current.getStore();

/** These have an account of their own: a mail is charged to who caused it, and pictures share a budget of the site. */
const CHARGED_ELSEWHERE: ReadonlySet<Billed> = new Set(["mails", "transformations"]);

type Total = Record<Billed, number>;
const none = (): Total => Object.fromEntries(Object.keys(PRICES).map((name) => [name, 0])) as Total;
let total = none();

/** @param isCharged false for what the request is charged for otherwise, such as the rows of its own queries */
export function spend(name: Billed, amount = 1, isCharged = !CHARGED_ELSEWHERE.has(name)): void {
  // The tools, which hash passwords too, run without a build.
  const isInTotal =
    typeof __DEVELOPMENT__ !== "undefined" && __DEVELOPMENT__ && current.getStore()?.isInTotal !== false;
  if (isInTotal) total[name] += amount;
  if (isCharged) charge(name, amount);
}

/** Charges the request for what an object uses that it calls, and counts by itself in development. */
export function charge(name: Billed, amount: number): void {
  current.getStore()?.add(microdollarsOf(name, amount));
}

/** Development only: what the isolate used since the last call. */
export function takeTotal(): Total {
  const taken = total;
  total = none();
  return taken;
}
