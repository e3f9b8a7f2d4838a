import { expect } from "vitest";
import { makePictureFile } from "./files.ts";
import { button, heading, label, link, text } from "./tab.ts";
import { inEachEngine } from "./walk.ts";

const HERE = { lat: 36.1627, lon: -86.7816 };
let walks = 0;

inEachEngine(
  "from the mailed link through the welcome to who is near",
  async (tab, site) => {
    walks += 1;
    const email = `newcomer-${walks}@example.test`;
    await tab.goto("/");
    await tab.press(link("Register"));
    await tab.fill(label("Email"), email);
    const boxes = await tab.driver.evaluate(() => document.querySelectorAll("main input[type=checkbox]").length);
    for (let index = 0; index < boxes; index += 1) await tab.press({ css: "main input[type=checkbox]:not(:checked)" });
    await tab.press(button("Send me a login link"));
    await tab.see(text(/Check your mail/));
    await tab.goto(await site.loginLink(email));
    await tab.see(heading("Who's coming in?"));
    await tab.fill(label("Profile name"), "Firstman");
    await tab.fill(label("Month"), "5");
    await tab.fill(label("Day"), "17");
    await tab.fill(label("Year"), "1990");
    await tab.press(button("Continue"));
    await tab.see(heading("Let's see you."));
    await tab.driver.choose("input[type=file]", await makePictureFile());
    await tab.press(button("Use it"));
    await tab.see(heading("Where should others see you?"));
    await tab.press(button("Use my location"));
    await tab.see(button("Following your device"));
    await tab.press(button("Show me in this square"));
    await tab.at(/^\/search\/tile/);
    const stored = await site.sql(
      `select p.profile_name, p.birthdate, json_array_length(p.pics_public) as pictures, a.ts_sharing_chosen is not null as chosen
       from profile p join account a using (id) where a.email = ?`,
      email,
    );
    expect(stored).toEqual([{ profile_name: "Firstman", birthdate: "1990-05-17", pictures: 1, chosen: 0 }]);

    const pictureOf = async () =>
      (
        await site.sql<{ id: number; size: string }>(
          "select id, width || 'x' || height size from picture order by id desc limit 1",
        )
      )[0]!;
    const { id, size } = await pictureOf();
    await tab.goto(`/profilePicEdit?id=${id}`);
    await tab.press(button("Rotate right"));
    await tab.press(button("Save"));
    await tab.at(/^\/profileEdit/);
    expect((await pictureOf()).size).not.toBe(size);
  },
  { gps: HERE },
);
