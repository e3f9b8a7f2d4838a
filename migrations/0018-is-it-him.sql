-- "Is it him?" is a game too: the tables whose CHECK lists the games are rebuilt. Votes between the copy and the rename are lost.
CREATE TABLE IF NOT EXISTS game_pack_rebuilt (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  game            TEXT    NOT NULL CHECK (game IN ('rating', 'buster', 'check')),
  day             INTEGER NOT NULL,                         -- days since 1970
  items           TEXT    NOT NULL CHECK (json_valid(items)),   -- {random number: item}
  issued          INTEGER NOT NULL DEFAULT 0,               -- open items issued this day, answered or not
  issued_known    INTEGER NOT NULL DEFAULT 0,               -- test items issued this day
  PRIMARY KEY (profile_id, game, day)
) STRICT, WITHOUT ROWID;
-- chunks of profile.id
INSERT OR IGNORE INTO game_pack_rebuilt SELECT profile_id, game, day, items, issued, issued_known
  FROM game_pack WHERE profile_id > :from AND profile_id <= :to;
DROP TABLE game_pack;
ALTER TABLE game_pack_rebuilt RENAME TO game_pack;
CREATE INDEX IF NOT EXISTS game_pack_old ON game_pack (day);
CREATE TABLE IF NOT EXISTS game_record_rebuilt (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  game            TEXT    NOT NULL CHECK (game IN ('rating', 'buster', 'identify', 'check')),
  votes           INTEGER NOT NULL DEFAULT 0,
  known           TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(known)),
  answers         TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(answers)),
  too_fast        INTEGER NOT NULL DEFAULT 0,
  proven          INTEGER NOT NULL DEFAULT 0 CHECK (proven IN (0, 1)),   -- whether the player's last vote counted
  collusion       REAL    NOT NULL DEFAULT 0,               -- 0: votes independently; 1: votes with a ring
  streak          INTEGER NOT NULL DEFAULT 0,
  best_streak     INTEGER NOT NULL DEFAULT 0,
  ts_last         INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (profile_id, game)
) STRICT, WITHOUT ROWID;
-- chunks of profile.id
INSERT OR IGNORE INTO game_record_rebuilt
  SELECT profile_id, game, votes, known, answers, too_fast, proven, collusion, streak, best_streak, ts_last
  FROM game_record WHERE profile_id > :from AND profile_id <= :to;
DROP TABLE game_record;
ALTER TABLE game_record_rebuilt RENAME TO game_record;
CREATE INDEX IF NOT EXISTS game_record_proven ON game_record (game, ts_last) WHERE proven = 1;
CREATE INDEX IF NOT EXISTS game_record_collusion ON game_record (collusion) WHERE collusion > 0;
CREATE TABLE IF NOT EXISTS game_pool_rebuilt (
  game            TEXT    PRIMARY KEY CHECK (game IN ('rating', 'buster', 'check')),
  voters          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO game_pool_rebuilt SELECT game, voters FROM game_pool;
DROP TABLE game_pool;
ALTER TABLE game_pool_rebuilt RENAME TO game_pool;

-- "Is it him?": a member's only or latest check. The stills are pictures that open once, in no list and no backup.
CREATE TABLE IF NOT EXISTS person_check (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  state           TEXT    NOT NULL CHECK (state IN ('posing', 'judging', 'staff', 'him', 'not_him', 'unclear', 'expired')),
  pose            TEXT    NOT NULL CHECK (json_valid(pose)),   -- of PersonCheckPose in packages/contract; {} once it is decided
  stills          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(stills)),   -- picture ids, until it is decided
  compared        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(compared)),   -- "id:version" of each public picture not marked NSFW at that time
  refusals        INTEGER NOT NULL DEFAULT 0,               -- verdicts other than 'him', and checks that the member ended, since the last 'him'
  poses           INTEGER NOT NULL DEFAULT 1,               -- drawn on the day of ts_started
  renewed         INTEGER NOT NULL DEFAULT 0 CHECK (renewed IN (0, 1)),   -- silent judges were replaced
  key             INTEGER,                                  -- the published position when the stills were handed in, until it is decided
  even_here       INTEGER NOT NULL DEFAULT 0 CHECK (even_here IN (0, 1)),   -- chosen in a country that punishes
  ts_started      INTEGER NOT NULL,                         -- when the pose was drawn
  ts_due          INTEGER,                                  -- while judged: when silent judges are replaced, or it expires
  ts_decided      INTEGER,
  ts_checked      INTEGER                                   -- the badge: the first day of its month; null: none
) STRICT;
CREATE INDEX IF NOT EXISTS person_check_due ON person_check (ts_due) WHERE ts_due IS NOT NULL;
CREATE INDEX IF NOT EXISTS person_check_staff ON person_check (ts_started) WHERE state = 'staff';
CREATE INDEX IF NOT EXISTS person_check_badge ON person_check (profile_id, ts_checked) WHERE ts_checked IS NOT NULL;

-- Who was drawn to compare. Deleted with the verdict.
CREATE TABLE IF NOT EXISTS person_check_seat (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,   -- who is checked
  judge_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  seat            INTEGER CHECK (seat BETWEEN 0 AND 9),     -- 0 to 4 of the first panel, 5 to 9 of the second; null: replaced
  answer          TEXT    CHECK (answer IN ('him', 'not_him', 'unclear')),
  ts_shown        INTEGER,                                  -- when its first picture was fetched
  PRIMARY KEY (profile_id, judge_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS person_check_seat_judge ON person_check_seat (judge_id);
CREATE UNIQUE INDEX IF NOT EXISTS person_check_seat_taken ON person_check_seat (profile_id, seat) WHERE seat IS NOT NULL;

-- The stills go with the verdict, whatever it is and whoever gives it; the schedule deletes their bytes within a minute.
CREATE TRIGGER IF NOT EXISTS person_check_decided AFTER UPDATE OF state ON person_check
WHEN old.stills <> '[]' AND new.state NOT IN ('judging', 'staff')
BEGIN
  UPDATE once_view SET ts_due = 0 WHERE picture_id IN (SELECT value FROM json_each(old.stills));
  DELETE FROM person_check_seat WHERE profile_id = new.profile_id;
  UPDATE person_check SET stills = '[]', pose = '{}', ts_due = NULL, key = NULL WHERE profile_id = new.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS person_check_of_gone_profile AFTER UPDATE OF status ON profile WHEN new.status <> 'active' BEGIN
  UPDATE person_check SET state = 'expired', refusals = refusals + (state = 'judging')
  WHERE profile_id = new.id AND state IN ('posing', 'judging', 'staff');
END;

-- A public picture that nobody compared ends the badge, and so does the last one that somebody did when it goes.
CREATE TRIGGER IF NOT EXISTS person_check_of_new_picture AFTER INSERT ON picture
WHEN new.audience = 'public' AND new.hidden_by_staff = 0 AND NOT (new.nsfw_owner OR new.nsfw_community)
BEGIN
  UPDATE person_check SET ts_checked = NULL WHERE profile_id = new.profile_id AND ts_checked IS NOT NULL;
END;
CREATE TRIGGER IF NOT EXISTS person_check_of_changed_picture
AFTER UPDATE OF audience, version, nsfw_owner, nsfw_community, hidden_by_staff ON picture
WHEN new.audience = 'public' AND new.hidden_by_staff = 0 AND NOT (new.nsfw_owner OR new.nsfw_community)
BEGIN
  UPDATE person_check SET ts_checked = NULL WHERE profile_id = new.profile_id AND ts_checked IS NOT NULL
    AND instr(compared, '"' || new.id || ':' || new.version || '"') = 0;
END;
CREATE TRIGGER IF NOT EXISTS person_check_of_shorter_album AFTER UPDATE OF pics_public ON profile
WHEN new.pics_public <> old.pics_public
BEGIN
  UPDATE person_check SET ts_checked = NULL WHERE profile_id = new.id AND ts_checked IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM json_each(new.pics_public) shown WHERE instr(compared, '"' || shown.value || ':'));
END;
