import { asSeen } from "./typed.ts";

/**
 * The code of a link in a mail, without the lines into which it was broken, the "3D" and "=" of its transport, which no code begins with
 * or contains, and what follows it, such as a full stop or a parameter of a mail program.
 */
export const asMailedToken = (text: string): string =>
  asSeen(text)
    .replace(/[ =]/g, "")
    .replace(/^3D(?=[\w-]{43})/, "")
    .replace(/[^\w+/-].*$/, "");
