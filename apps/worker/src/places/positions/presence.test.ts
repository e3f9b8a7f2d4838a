import { BUSTER_TEXT_MIN_CHARS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { queryRows, reportPosition } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { NIGHTLY } from "../../schedule.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

describe("the presence index", () => {
  it("matches profiles and positions after any sequence of changes", async () => {
    const { DB } = worker.env;
    const members: TestMember[] = [];
    for (let count = 0; count < 8; count += 1) members.push(await createMember(worker, { sharedOn: 1 + (count % 7) }));
    let state = 5;
    const pick = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const changes = [
      "update profile set hidden = 1 - hidden where id = ?",
      "update profile set shared_on = (shared_on % 7) + 1 where id = ?",
      "update profile set status = iif(status = 'active', 'suspended', 'active') where id = ?",
      "update profile set profile_name = iif(profile_name = '', 'Back', '') where id = ?",
      "update profile set birthdate = iif(birthdate is null, '1988-01-01', null) where id = ?",
      "update profile set profile_name = profile_name || 'x', weight = '80', height = '180' where id = ?",
      "update profile set characteristics = characteristics + 1, birthdate = '1999-12-31' where id = ?",
      "update profile set pics_public = '[1]', ts_seen = ts_seen + 900000 where id = ?",
      "update profile set pics_public = '[1,' || id || ']', description = printf('%60s', id) where id = ?",
      "update profile set pics_public = '[' || ts_seen || ',' || id || ']', random_order = random_order + 1 where id = ?",
      "update profile set pics_public = '[]', description = printf('%59s', id) where id = ?",
      "delete from position where profile_id = ?",
      "delete from account where id = ?",
    ];
    for (let step = 0; step < 120 && members.length > 2; step += 1) {
      const member = members[pick(members.length)]!;
      const what = pick(step > 70 ? 22 : 21);
      const statement = changes[what < 12 ? what : what === 21 ? 12 : -1];
      if (statement) await DB.prepare(statement).bind(member.id).run();
      else await reportPosition(member, { lat: pick(160) - 80, lon: pick(360) - 180 + pick(100) / 100 });
      if (what === 21) members.splice(members.indexOf(member), 1);
      if (step % 12 > 0) continue;
      const difference = `select bit.value, s.key, p.id, p.random_order, s.ts_effective_until, p.ts_seen, p.characteristics,
          cast(julianday(p.birthdate) - 2440587.5 as integer), p.profile_name, p.height, p.weight, p.pics_public
        from position s join profile p on p.id = s.profile_id, json_each('[1,2,4]') bit
        where p.status = 'active' and p.hidden = 0 and p.profile_name <> '' and p.birthdate is not null and p.shared_on & bit.value`;
      expect(await queryRows(worker, `select * from (${difference}) except select * from presence`)).toEqual([]);
      expect(await queryRows(worker, `select * from presence except select * from (${difference})`)).toEqual([]);
      const drawable = `select brand.value, kind.value, p.random_order, p.id, iif(kind.value = 1, p.pics_public, '')
        from profile p, json_each('[1,2,4]') brand, json_each('[1,2,4]') kind where p.listed_on & brand.value and case kind.value
        when 1 then p.pics_public <> '[]' when 2 then json_array_length(p.pics_public) > 1 else length(p.description) >= ${BUSTER_TEXT_MIN_CHARS} end`;
      expect(await queryRows(worker, `select * from (${drawable}) except select * from drawable_member`)).toEqual([]);
      expect(await queryRows(worker, `select * from drawable_member except select * from (${drawable})`)).toEqual([]);
      if (step % 24 === 0) await worker.runCron(NIGHTLY, Date.now());
      const counted = `select cast(j.key as integer) as brand, cast(substr(j.key, instr(j.key, ':') + 1) as integer) as sector, sum(j.value) as n
        from presence_count c, json_each(c.squares) j group by 1, 2 having n <> 0`;
      const real = "select brand, key >> 34 as sector, count(*) as n from presence group by brand, key >> 34";
      expect(await queryRows(worker, `select * from (${counted}) except select * from (${real})`)).toEqual([]);
      expect(await queryRows(worker, `select * from (${real}) except select * from (${counted})`)).toEqual([]);
    }
  });
});
