import { deviceKey } from "./device-storage.ts";

/** The ticket this device received when it requested a login mail. It logs in only together with the mail's six digits. */
export interface LoginTicket {
  readonly ticket: string;
  /** When the digits expire, in milliseconds since the epoch. */
  readonly until: number;
  /** How many codes were tried with it. */
  readonly tries: number;
}

export const LOGIN_TICKET = deviceKey<LoginTicket | null>(
  "login_ticket",
  null,
  (value) => typeof (value as Partial<LoginTicket> | undefined)?.ticket === "string",
);
