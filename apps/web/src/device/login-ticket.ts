import type { DeviceKey } from "./device-storage.ts";

/** What this device got for asking for a login mail: with the mail's digits it logs in. Without them it is good for nothing. */
export interface LoginTicket {
  readonly ticket: string;
  /** When the digits end. */
  readonly until: number;
  /** How often digits were tried with it. */
  readonly tries: number;
}

export const LOGIN_TICKET: DeviceKey<LoginTicket | null> = {
  name: "login_ticket",
  fallback: null,
  accepts: (value): value is LoginTicket | null =>
    value === null || typeof (value as Partial<LoginTicket> | undefined)?.ticket === "string",
};
