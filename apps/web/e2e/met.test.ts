import { DAY_MS, MET_JOINED_PERIOD_MS } from "@lambda/contract/limits";
import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { insertConversation } from "./chat-scene.ts";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;

/** Eight members of different networks, with whom everybody has talked. */
const others: number[] = [];

beforeAll(async () => {
  site = await openSite();
  for (let at = 0; at < 8; at += 1) others.push((await makeMember(site)).id);
  await site.sql("update account set network = id");
});

/** A member with a picture, who joined in a period of their own and has talked with eight others. */
async function makeMan(name: string, period: number): Promise<BrowserMember> {
  const man = await makeMember(site, { name });
  await (await apiFor(site, man)).upload(await makeQuartersPicture(600, 800, [RED, GREEN, BLUE, YELLOW]));
  await site.sql(
    "update account set ts_created = ? where id = ?",
    Date.now() - (6 - period) * MET_JOINED_PERIOD_MS,
    man.id,
  );
  await site.sql(
    `insert into message_pair (low_id, high_id, low_count, high_count)
     select min(value, ?1), max(value, ?1), 3, 3 from json_each(?2)`,
    man.id,
    JSON.stringify(others),
  );
  return man;
}

async function openThread(me: BrowserMember, other: BrowserMember, locale = "en-US") {
  const opened = await site.open({ viewport: PHONE, locale });
  await logIn(site, opened.context, me);
  await opened.page.goto(`/chat/personal?with=${other.id}`);
  return opened;
}

it("two members say it of each other, and from the third on the number shows to others and to an admin, but not whose word it was", {
  tags: "slow",
}, async () => {
  const [ann, bob] = [await makeMan("Ansel", 0), await makeMan("Bruno", 1)];
  const talked = Array.from(
    { length: 6 },
    (_, at) => [at % 2 === 0, `Hello ${at}`, 3 * DAY_MS - at * DAY_MS * 0.5] as const,
  );
  await insertConversation(site, ann, bob, talked.slice(0, 4));

  const mine = await openThread(ann, bob);
  const question = () => mine.page.getByRole("dialog", { name: "Is he the man in his pictures?" });
  await mine.page.getByRole("button", { name: "Action" }).click();
  await mine.page.getByRole("menuitem", { name: "Did you meet him?" }).click();
  await question()
    .getByText(/^You can say this once/)
    .waitFor();
  expect(await question().getByRole("button", { name: "Yes, he is" }).count()).toBe(0);
  await insertConversation(site, ann, bob, talked.slice(4));
  await mine.page.reload();
  await mine.page.getByRole("button", { name: "Action" }).press("Enter");
  await mine.page.locator('[role="menuitem"]:focus').waitFor();
  await mine.page.getByRole("menuitem", { name: "Did you meet him?" }).press("Enter");
  expect(await findBarriers(mine.page)).toEqual([]);
  await question().getByRole("button", { name: "Yes, he is" }).click();
  await question().getByText("You said he's the man in his pictures.").waitFor();

  const his = await openThread(bob, ann, "es-ES");
  await his.page.getByRole("button", { name: "Acción" }).click();
  await his.page.getByRole("menuitem", { name: "¿Lo has visto en persona?" }).click();
  await his.page.getByRole("button", { name: "Sí, lo es" }).click();
  await his.page.getByText("Dijiste que es el hombre de sus fotos.").waitFor();
  expect(await site.sql("select count(*) as count from notification")).toEqual([{ count: 0 }]);

  const admin = await makeMember(site, { name: "Staff", admin: true });
  const staff = await site.open({ viewport: DESKTOP });
  await logIn(site, staff.context, admin);
  for (const other of [await makeMan("Carlo", 2), await makeMan("Dario", 3)])
    await site.sql(
      `insert into met (author_id, about_id, pictures, ts_said)
       select author_id, about_id, json_array(p.pics_public ->> 0 || '.1'), ?
       from (select ?2 as author_id, ?3 as about_id union select ?3, ?2) said join profile p on p.id = about_id`,
      Date.now(),
      other.id,
      bob.id,
    );
  await staff.page.goto(`/profile/${bob.id}`);
  await staff.page.getByRole("heading", { name: /^Bruno/ }).waitFor();
  expect(await staff.page.getByText(/^Met by/).count()).toBe(0);

  await site.sql("update met_shown set ts_next = 1 where ts_next is not null");
  const nightly = encodeURIComponent("17 3 * * *");
  expect((await fetch(`http://localhost:${site.port}/cdn-cgi/local/scheduled?cron=${nightly}`)).ok).toBe(true);
  await staff.page.reload();
  await staff.page.getByText("Met by 3+").waitFor();
  expect(await findBarriers(staff.page)).toEqual([]);
  const file = await (await (await apiFor(site, admin)).fetch(`/api/admin/member/${bob.id}`)).text();
  expect(file).toContain("Bruno");
  expect(file).not.toMatch(/\bmet/i);
  await his.page.goto(`/profile/${bob.id}`);
  await his.page.getByText("Visto en persona por 3+").waitFor();
  // To one of the three it is the word of two others.
  const relation = mine.page.waitForResponse(/profiles\.relation/);
  await mine.page.goto(`/profile/${bob.id}`);
  await (await relation).finished();
  await mine.page.getByRole("heading", { name: /^Bruno/ }).waitFor();
  expect(await mine.page.getByText(/^Met by/).count()).toBe(0);

  await mine.page.goto(`/chat/personal?with=${bob.id}`);
  await mine.page.getByRole("button", { name: "Action" }).click();
  await mine.page.getByRole("menuitem", { name: "Did you meet him?" }).click();
  await question().getByRole("button", { name: "Take it back" }).click();
  await question().getByRole("button", { name: "Yes, he is" }).waitFor();
  expect(await site.sql("select * from met where author_id = ?", ann.id)).toEqual([]);
  expect([...mine.errors, ...his.errors, ...staff.errors]).toEqual([]);
});
