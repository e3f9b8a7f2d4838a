/** Asks a member whose mailbox has two accounts, from before a mailbox had only one, whether both are wanted. Nothing is merged. */
import { defineCopy } from "@lambda/contract/copy";
import { sql } from "kysely";
import { notify } from "../notifications/notify.ts";
import type { Context } from "../platform/context.ts";

/** Where members delete their account. */
const DELETION_PATH = "/settings#data";

/** Does not say how the other address is written: others may see the list, and a few providers tell such spellings apart. */
const copy = defineCopy({
  en: "A second account here has your mailbox, under another spelling of the address. Each works with its own spelling. If you want only one, delete this one here, or log in with the other spelling and delete that one.",
  es: "Otra cuenta de aquí tiene tu mismo buzón, con la dirección escrita de otra forma. Cada una funciona con la suya. Si solo quieres una, borra esta aquí, o entra con la otra forma y borra aquella.",
});

/** Notifies a member who has just logged in, unless an earlier notification is still in the list. */
export function askAboutSecondAccount(ctx: Context, profileId: number): void {
  // Whether another account, and not one being deleted, has the mailbox of this one.
  const onlyIf = sql<boolean>`(exists (select 1 from account own join account other on other.mailbox = own.mailbox
      where own.id = ${profileId} and other.id <> own.id and other.ts_deleted is null)
    and not exists (select 1 from notification n where n.profile_id = ${profileId} and n.url = ${DELETION_PATH}))`;
  ctx.waitUntil(notify(ctx, { profileId, kind: "security", bodyText: copy, url: DELETION_PATH, onlyIf }));
}
