-- The tables of the first deployment, without the reasons, which schema.sql states: what migrations are tested from.
CREATE VIEW IF NOT EXISTS bit AS
  SELECT 1 << column1 AS value FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30));
CREATE TABLE IF NOT EXISTS account (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  email           TEXT    NOT NULL UNIQUE CHECK (email = lower(email)),
  name            TEXT    NOT NULL DEFAULT '',
  password_hash   TEXT,
  home_brand      TEXT    NOT NULL,
  admin_brand     TEXT,
  locale          TEXT    NOT NULL DEFAULT 'en' CHECK (locale IN ('en', 'es')),
  ts_sharing_chosen INTEGER,
  email_pending   TEXT,
  preferences     TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(preferences)),
  acknowledgements TEXT   NOT NULL DEFAULT '',
  network         INTEGER,
  ts_created      INTEGER NOT NULL,
  ts_deleted      INTEGER,
  is_test         INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
  lattice_seed    BLOB
) STRICT;
CREATE INDEX IF NOT EXISTS account_network ON account (ts_created) WHERE network IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_deleted ON account (ts_deleted) WHERE ts_deleted IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_admin ON account (admin_brand) WHERE admin_brand IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_special ON account (id, admin_brand, ts_deleted)
  WHERE admin_brand IS NOT NULL OR ts_deleted IS NOT NULL;
CREATE TABLE IF NOT EXISTS session (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash      BLOB    NOT NULL UNIQUE,
  account_id      INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  brand           TEXT    NOT NULL,
  device_label    TEXT    NOT NULL DEFAULT '',
  remember        INTEGER NOT NULL DEFAULT 0 CHECK (remember IN (0, 1)),
  ts_proved       INTEGER NOT NULL DEFAULT 0,
  ts_created      INTEGER NOT NULL,
  ts_last_used    INTEGER NOT NULL,
  ts_expires      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS session_account ON session (account_id);
CREATE INDEX IF NOT EXISTS session_expires ON session (ts_expires);
CREATE TABLE IF NOT EXISTS passkey (
  id              INTEGER PRIMARY KEY,
  account_id      INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  credential_id   TEXT    NOT NULL UNIQUE,
  public_key      BLOB    NOT NULL,
  counter         INTEGER NOT NULL,
  transports      TEXT    NOT NULL DEFAULT '',
  backed_up       INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
  brand           TEXT    NOT NULL,
  rp_id           TEXT    NOT NULL,
  name            TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  ts_last_used    INTEGER,
  ts_cloned       INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS passkey_account ON passkey (account_id);
CREATE TABLE IF NOT EXISTS login_code (
  code_hash       BLOB    PRIMARY KEY,
  purpose         TEXT    NOT NULL CHECK (purpose IN ('login', 'email')),
  email           TEXT    NOT NULL,
  account_id      INTEGER REFERENCES account (id) ON DELETE CASCADE,
  brand           TEXT    NOT NULL,
  locale          TEXT    NOT NULL DEFAULT 'en' CHECK (locale IN ('en', 'es')),
  acknowledgements TEXT   NOT NULL DEFAULT '',
  age_ticket_hash BLOB,
  ts_expires      INTEGER NOT NULL,
  ticket_hash     BLOB,
  digits_hash     BLOB,
  digits_tries    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS login_code_ticket ON login_code (ticket_hash) WHERE ticket_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS login_code_email ON login_code (email);
CREATE INDEX IF NOT EXISTS login_code_expires ON login_code (ts_expires);
CREATE INDEX IF NOT EXISTS login_code_account ON login_code (account_id) WHERE account_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS lockdown (
  account_id      INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  ts_until        INTEGER NOT NULL DEFAULT 0,
  words_hash      TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS lockdown_over ON lockdown (ts_until) WHERE ts_until > 0;
CREATE TABLE IF NOT EXISTS lockdown_signal (
  id              INTEGER PRIMARY KEY,
  account_id      INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  token_hash      BLOB    NOT NULL UNIQUE,
  hours           INTEGER NOT NULL CHECK (hours BETWEEN 1 AND 720)
) STRICT;
CREATE INDEX IF NOT EXISTS lockdown_signal_account ON lockdown_signal (account_id, id);
CREATE TABLE IF NOT EXISTS age_proof (
  account_id      INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  method          TEXT    NOT NULL CHECK (method IN ('eu-av', 'mdl', 'oidc')),
  day             INTEGER NOT NULL,
  policy          TEXT    NOT NULL,
  attestation_hash BLOB   NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS age_request (
  state_hash      BLOB    PRIMARY KEY,
  account_id      INTEGER REFERENCES account (id) ON DELETE CASCADE,
  ticket_hash     BLOB,
  method          TEXT    NOT NULL CHECK (method IN ('eu-av', 'mdl', 'oidc')),
  brand           TEXT    NOT NULL,
  nonce           TEXT    NOT NULL,
  verifier        TEXT,
  answered        INTEGER NOT NULL DEFAULT 0 CHECK (answered IN (0, 1)),
  outcome         TEXT,
  attestation_hash BLOB   UNIQUE,
  ts_expires      INTEGER NOT NULL,
  CHECK ((account_id IS NULL) <> (ticket_hash IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS age_request_account ON age_request (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS age_request_ticket ON age_request (ticket_hash) WHERE ticket_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS age_request_expires ON age_request (ts_expires);
CREATE TABLE IF NOT EXISTS profile (
  id              INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  profile_name    TEXT    NOT NULL DEFAULT '',
  name_skeleton   TEXT,
  birthdate       TEXT,
  height          TEXT    NOT NULL DEFAULT '',
  weight          TEXT    NOT NULL DEFAULT '',
  description     TEXT    NOT NULL DEFAULT '' CHECK (length(description) <= 4000),
  characteristics INTEGER NOT NULL DEFAULT 0,
  pics_public     TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(pics_public) AND json_type(pics_public) = 'array'
                  AND substr(pics_public, 2, length(pics_public) - 2) NOT GLOB '*[^0-9,]*'),
  pics_private    TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(pics_private) AND json_type(pics_private) = 'array'
                  AND substr(pics_private, 2, length(pics_private) - 2) NOT GLOB '*[^0-9,]*'),
  own_pics_public TEXT    CHECK (json_valid(own_pics_public) AND substr(own_pics_public, 2, length(own_pics_public) - 2) NOT GLOB '*[^0-9,]*'),
  own_pics_private TEXT   CHECK (json_valid(own_pics_private) AND substr(own_pics_private, 2, length(own_pics_private) - 2) NOT GLOB '*[^0-9,]*'),
  status          TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'banned', 'deleted')),
  ts_status_until INTEGER,
  hidden          INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
  shared_on       INTEGER NOT NULL,
  listed_on       INTEGER NOT NULL GENERATED ALWAYS AS
                  (CASE WHEN status = 'active' AND hidden = 0 AND profile_name <> '' AND birthdate IS NOT NULL
                  THEN shared_on ELSE 0 END) STORED,
  random_order    INTEGER NOT NULL,
  drawn_as        INTEGER NOT NULL GENERATED ALWAYS AS ((pics_public <> '[]') + 2 * (instr(pics_public, ',') > 0)
                  + 4 * (length(description) >= 60)) VIRTUAL,
  credits         INTEGER NOT NULL DEFAULT 0,
  ts_seen         INTEGER NOT NULL,
  ts_updated      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS profile_skeleton ON profile (name_skeleton) WHERE name_skeleton <> '';
CREATE INDEX IF NOT EXISTS profile_unjudged_name ON profile (id) WHERE name_skeleton IS NULL AND profile_name <> '';
CREATE INDEX IF NOT EXISTS profile_status ON profile (status, ts_status_until) WHERE status <> 'active';
CREATE TABLE IF NOT EXISTS drawable_member (
  brand           INTEGER NOT NULL,
  drawn_as        INTEGER NOT NULL,
  random_order    INTEGER NOT NULL,
  profile_id      INTEGER NOT NULL,
  pics_public     TEXT    NOT NULL,
  PRIMARY KEY (brand, drawn_as, random_order, profile_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS drawable_member_of_new_profile AFTER INSERT ON profile BEGIN
  INSERT INTO drawable_member SELECT brand.value, kind.value, new.random_order, new.id, iif(kind.value = 1, new.pics_public, '')
  FROM bit brand, bit kind
  WHERE new.listed_on & brand.value AND new.drawn_as & kind.value;
END;
CREATE TRIGGER IF NOT EXISTS drawable_member_of_changed_profile
AFTER UPDATE OF status, hidden, shared_on, profile_name, birthdate, pics_public, description, random_order ON profile
WHEN new.listed_on <> old.listed_on OR new.drawn_as <> old.drawn_as OR new.random_order <> old.random_order
  OR new.pics_public <> old.pics_public
BEGIN
  DELETE FROM drawable_member WHERE brand IN (SELECT value FROM bit WHERE value & old.listed_on)
    AND drawn_as IN (SELECT value FROM bit WHERE value & old.drawn_as)
    AND random_order = old.random_order AND profile_id = old.id
    AND NOT (brand & new.listed_on AND drawn_as & new.drawn_as AND new.random_order = old.random_order);
  INSERT INTO drawable_member SELECT brand.value, kind.value, new.random_order, new.id, iif(kind.value = 1, new.pics_public, '')
  FROM bit brand, bit kind
  WHERE new.listed_on & brand.value AND new.drawn_as & kind.value
    AND NOT (old.listed_on & brand.value AND old.drawn_as & kind.value AND new.random_order = old.random_order);
  UPDATE drawable_member SET pics_public = new.pics_public
  WHERE brand IN (SELECT value FROM bit WHERE value & new.listed_on) AND drawn_as = 1
    AND random_order = new.random_order AND profile_id = new.id AND pics_public <> new.pics_public;
END;
CREATE TRIGGER IF NOT EXISTS drawable_member_of_gone_profile AFTER DELETE ON profile BEGIN
  DELETE FROM drawable_member WHERE brand IN (SELECT value FROM bit WHERE value & old.listed_on)
    AND drawn_as IN (SELECT value FROM bit WHERE value & old.drawn_as)
    AND random_order = old.random_order AND profile_id = old.id;
END;
CREATE TABLE IF NOT EXISTS position (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  use             TEXT    NOT NULL CHECK (use IN ('RANDOM', 'OVERRIDE', 'DEVICE_GPS')),
  precision       TEXT    NOT NULL CHECK (precision IN ('exact', 'street', 'district', 'city')),
  cell            INTEGER NOT NULL,
  pending_cell    INTEGER,
  key             INTEGER NOT NULL,
  session         INTEGER NOT NULL DEFAULT 0,
  ts_published    INTEGER NOT NULL,
  ts_effective_until INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS position_effective ON position (ts_effective_until);
CREATE INDEX IF NOT EXISTS position_pending ON position (ts_published) WHERE pending_cell IS NOT NULL;
CREATE TABLE IF NOT EXISTS place_memory (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  sealed          BLOB    NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS presence (
  brand           INTEGER NOT NULL,
  key             INTEGER NOT NULL,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  random_order         INTEGER NOT NULL,
  ts_effective_until INTEGER NOT NULL,
  ts_seen         INTEGER NOT NULL,
  characteristics INTEGER NOT NULL,
  birth_day       INTEGER,
  profile_name    TEXT    NOT NULL,
  height          TEXT    NOT NULL,
  weight          TEXT    NOT NULL,
  pics_public     TEXT    NOT NULL,
  PRIMARY KEY (brand, key, profile_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS presence_density (
  brand           INTEGER NOT NULL,
  key             INTEGER NOT NULL,
  key_end         INTEGER NOT NULL,
  squares         TEXT    NOT NULL,
  PRIMARY KEY (brand, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS presence_count (
  region          INTEGER PRIMARY KEY,
  squares         TEXT    NOT NULL CHECK (json_valid(squares))
) STRICT;
CREATE TABLE IF NOT EXISTS presence_count_update (
  old_key         INTEGER,
  old_brands      INTEGER,
  new_key         INTEGER,
  new_brands      INTEGER
) STRICT;
CREATE TRIGGER IF NOT EXISTS presence_count_of_update BEFORE INSERT ON presence_count_update BEGIN
  INSERT INTO presence_count
  SELECT ifnull(new.new_key, new.old_key) >> 44, json_group_object(c.name, c.difference) FROM (
    SELECT bit.value || ':' || (side.key >> 34) AS name, sum(side.difference) AS difference
    FROM (SELECT new.new_key AS key, new.new_brands AS brands, 1 AS difference
          UNION ALL SELECT new.old_key, new.old_brands, -1) side
    JOIN bit ON side.brands & bit.value
    WHERE side.key IS NOT NULL GROUP BY 1 HAVING sum(side.difference) <> 0
  ) c HAVING count(*) > 0
  ON CONFLICT (region) DO UPDATE SET squares = (SELECT json_patch(presence_count.squares, json_group_object(c.key,
    ifnull(presence_count.squares ->> ('$."' || c.key || '"'), 0) + c.value)) FROM json_each(excluded.squares) c);
  SELECT RAISE(IGNORE);
END;
CREATE TRIGGER IF NOT EXISTS presence_of_new_position AFTER INSERT ON position BEGIN
  INSERT INTO presence
  SELECT bit.value, new.key, p.id, p.random_order, new.ts_effective_until, p.ts_seen, p.characteristics,
         CAST(julianday(p.birthdate) - 2440587.5 AS INTEGER), p.profile_name, p.height, p.weight, p.pics_public
  FROM profile p, bit
  WHERE p.id = new.profile_id AND p.listed_on & bit.value;
END;
CREATE TRIGGER IF NOT EXISTS presence_of_moved_position AFTER UPDATE OF key, ts_effective_until ON position
WHEN new.key <> old.key OR new.ts_effective_until <> old.ts_effective_until
BEGIN
  UPDATE presence SET key = new.key, ts_effective_until = new.ts_effective_until
  WHERE brand IN (SELECT bit.value FROM profile p, bit WHERE p.id = old.profile_id AND p.listed_on & bit.value)
    AND key = old.key AND profile_id = old.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS presence_of_gone_position AFTER DELETE ON position BEGIN
  DELETE FROM presence
  WHERE brand IN (SELECT bit.value FROM profile p, bit WHERE p.id = old.profile_id AND p.listed_on & bit.value)
    AND key = old.key AND profile_id = old.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS presence_of_relisted_profile
AFTER UPDATE OF status, hidden, shared_on, profile_name, birthdate ON profile WHEN new.listed_on <> old.listed_on
BEGIN
  DELETE FROM presence WHERE profile_id = new.id AND brand IN (SELECT value FROM bit WHERE value & old.listed_on)
    AND key = (SELECT key FROM position WHERE profile_id = new.id);
  INSERT INTO presence
  SELECT bit.value, s.key, new.id, new.random_order, s.ts_effective_until, new.ts_seen, new.characteristics,
         CAST(julianday(new.birthdate) - 2440587.5 AS INTEGER), new.profile_name, new.height, new.weight, new.pics_public
  FROM position s, bit
  WHERE s.profile_id = new.id AND new.listed_on & bit.value;
END;
CREATE TRIGGER IF NOT EXISTS presence_of_edited_profile
AFTER UPDATE OF profile_name, characteristics, birthdate, height, weight, pics_public, ts_seen ON profile
WHEN new.listed_on = old.listed_on AND new.listed_on <> 0 AND (new.profile_name <> old.profile_name
  OR new.characteristics <> old.characteristics OR new.birthdate IS NOT old.birthdate OR new.height <> old.height
  OR new.weight <> old.weight OR new.pics_public <> old.pics_public OR new.ts_seen <> old.ts_seen)
BEGIN
  UPDATE presence SET ts_seen = new.ts_seen, characteristics = new.characteristics,
    birth_day = CAST(julianday(new.birthdate) - 2440587.5 AS INTEGER), profile_name = new.profile_name,
    height = new.height, weight = new.weight, pics_public = new.pics_public
  WHERE profile_id = new.id AND brand IN (SELECT value FROM bit WHERE value & new.listed_on)
    AND key = (SELECT key FROM position WHERE profile_id = new.id);
END;
CREATE TRIGGER IF NOT EXISTS presence_count_of_new_position AFTER INSERT ON position BEGIN
  INSERT INTO presence_count_update SELECT NULL, NULL, new.key, p.listed_on FROM profile p WHERE p.id = new.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS presence_count_of_moved_position AFTER UPDATE OF key ON position
WHEN new.key >> 34 <> old.key >> 34
BEGIN
  INSERT INTO presence_count_update SELECT old.key, p.listed_on, new.key, p.listed_on FROM profile p WHERE p.id = new.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS presence_count_of_gone_position AFTER DELETE ON position BEGIN
  INSERT INTO presence_count_update SELECT old.key, p.listed_on, NULL, NULL FROM profile p WHERE p.id = old.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS presence_count_of_relisted_profile
AFTER UPDATE OF status, hidden, shared_on, profile_name, birthdate ON profile WHEN new.listed_on <> old.listed_on
BEGIN
  INSERT INTO presence_count_update SELECT s.key, old.listed_on, s.key, new.listed_on FROM position s WHERE s.profile_id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS presence_count_of_gone_profile BEFORE DELETE ON profile BEGIN
  DELETE FROM position WHERE profile_id = old.id;
END;
CREATE TABLE IF NOT EXISTS travel_stay (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  country         TEXT    NOT NULL CHECK (country GLOB '[A-Z][A-Z]'),
  shown           TEXT    NOT NULL DEFAULT 'hidden' CHECK (shown IN ('hidden', 'city', 'usual')),
  hid_member      INTEGER NOT NULL CHECK (hid_member IN (0, 1)),
  pictures_withdrawn INTEGER NOT NULL DEFAULT 1 CHECK (pictures_withdrawn IN (0, 1)),
  muted           INTEGER NOT NULL DEFAULT 1 CHECK (muted IN (0, 1)),
  chosen          INTEGER NOT NULL DEFAULT 0 CHECK (chosen IN (0, 1)),
  ts_seen         INTEGER NOT NULL,
  ts_left         INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS travel_stay_left ON travel_stay (ts_left) WHERE ts_left IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS picture_of_new_stay AFTER INSERT ON travel_stay WHEN new.pictures_withdrawn = 1 BEGIN
  UPDATE picture SET hidden_by_staff = 3
  WHERE profile_id = new.profile_id AND hidden_by_staff = 0 AND (nsfw_owner OR nsfw_community);
END;
CREATE TRIGGER IF NOT EXISTS picture_of_changed_stay AFTER UPDATE OF pictures_withdrawn ON travel_stay
WHEN new.pictures_withdrawn <> old.pictures_withdrawn
BEGIN
  UPDATE picture SET hidden_by_staff = iif(new.pictures_withdrawn, 3, 0)
  WHERE profile_id = new.profile_id AND hidden_by_staff = iif(new.pictures_withdrawn, 0, 3) AND (nsfw_owner OR nsfw_community);
END;
CREATE TABLE IF NOT EXISTS trip (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  name            TEXT    NOT NULL CHECK (length(name) <= 80),
  cell            INTEGER NOT NULL,
  key             INTEGER NOT NULL,
  country         TEXT,
  day_from        INTEGER NOT NULL,
  day_to          INTEGER NOT NULL CHECK (day_to >= day_from),
  shown           INTEGER CHECK (shown IN (0, 1))
) STRICT;
CREATE INDEX IF NOT EXISTS trip_profile ON trip (profile_id);
CREATE INDEX IF NOT EXISTS trip_shown ON trip (key) WHERE shown = 1;
CREATE INDEX IF NOT EXISTS trip_past ON trip (day_to);
CREATE TABLE IF NOT EXISTS picture (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  audience        TEXT    NOT NULL CHECK (audience IN ('public', 'private', 'chat', 'once')),
  version         INTEGER NOT NULL DEFAULT 1,
  width           INTEGER NOT NULL,
  height          INTEGER NOT NULL,
  bytes           INTEGER NOT NULL,
  placeholder     TEXT    NOT NULL DEFAULT '',
  preview         TEXT    NOT NULL DEFAULT '' CHECK (length(preview) <= 1000),
  nsfw_owner      INTEGER NOT NULL DEFAULT 0 CHECK (nsfw_owner IN (0, 1)),
  nsfw_community  INTEGER NOT NULL DEFAULT 0 CHECK (nsfw_community IN (0, 1)),
  harmless_owner  INTEGER NOT NULL DEFAULT 0 CHECK (harmless_owner IN (0, 1)),
  hidden_by_staff INTEGER NOT NULL DEFAULT 0 CHECK (hidden_by_staff IN (0, 1, 2, 3)),
  wants_crop      INTEGER NOT NULL DEFAULT 0 CHECK (wants_crop IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  ts_updated      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS picture_profile ON picture (profile_id, audience);
CREATE INDEX IF NOT EXISTS picture_chat ON picture (ts_updated) WHERE audience = 'chat';
CREATE TRIGGER IF NOT EXISTS picture_withdrawn_as_marked AFTER UPDATE OF nsfw_owner, nsfw_community, hidden_by_staff ON picture
WHEN new.hidden_by_staff = 0 AND (new.nsfw_owner OR new.nsfw_community)
  AND EXISTS (SELECT 1 FROM travel_stay s WHERE s.profile_id = new.profile_id AND s.pictures_withdrawn = 1)
BEGIN
  UPDATE picture SET hidden_by_staff = 3 WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS picture_returned_as_unmarked AFTER UPDATE OF nsfw_owner, nsfw_community ON picture
WHEN new.hidden_by_staff = 3 AND NOT (new.nsfw_owner OR new.nsfw_community)
BEGIN
  UPDATE picture SET hidden_by_staff = 0 WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS profile_pics_of_withdrawn_picture AFTER UPDATE OF hidden_by_staff ON picture
WHEN (old.hidden_by_staff = 3) <> (new.hidden_by_staff = 3)
BEGIN
  UPDATE profile SET own_pics_public = ifnull(own_pics_public, pics_public), own_pics_private = ifnull(own_pics_private, pics_private)
  WHERE id = new.profile_id;
  UPDATE profile SET
    pics_public = (SELECT json_group_array(o.value ORDER BY o.key) FROM json_each(own_pics_public) o
      WHERE o.value IN (SELECT c.id FROM picture c WHERE c.profile_id = new.profile_id AND c.hidden_by_staff = 0)),
    pics_private = (SELECT json_group_array(o.value ORDER BY o.key) FROM json_each(own_pics_private) o
      WHERE o.value IN (SELECT c.id FROM picture c WHERE c.profile_id = new.profile_id AND c.hidden_by_staff = 0)),
    own_pics_public = iif(EXISTS (SELECT 1 FROM picture c WHERE c.profile_id = new.profile_id AND c.hidden_by_staff IN (2, 3)), own_pics_public, NULL),
    own_pics_private = iif(EXISTS (SELECT 1 FROM picture c WHERE c.profile_id = new.profile_id AND c.hidden_by_staff IN (2, 3)), own_pics_private, NULL)
  WHERE id = new.profile_id;
END;
CREATE TABLE IF NOT EXISTS picture_hash (
  picture_id      INTEGER PRIMARY KEY REFERENCES picture (id) ON DELETE CASCADE,
  hash            TEXT    NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  quality         INTEGER NOT NULL CHECK (quality BETWEEN 0 AND 100),
  compared        INTEGER NOT NULL DEFAULT 0 CHECK (compared IN (0, 1))
) STRICT;
CREATE INDEX IF NOT EXISTS picture_hash_fresh ON picture_hash (picture_id) WHERE compared = 0;
CREATE TABLE IF NOT EXISTS known_picture (
  id              INTEGER PRIMARY KEY,
  hash            TEXT    NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  source          TEXT    NOT NULL CHECK (source GLOB 'notice*' OR source GLOB 'staff*' OR source GLOB 'list:?*'),
  rule            TEXT    NOT NULL CHECK (rule IN ('minor', 'intimate')),
  searched        INTEGER NOT NULL DEFAULT 0 CHECK (searched IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  UNIQUE (source, hash)
) STRICT;
CREATE INDEX IF NOT EXISTS known_picture_unsearched ON known_picture (id) WHERE searched = 0;
CREATE TABLE IF NOT EXISTS known_picture_part (
  part            INTEGER NOT NULL,
  known_id        INTEGER NOT NULL,
  PRIMARY KEY (part, known_id)
) STRICT, WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS part_of_known_picture AS
  SELECT k.id, place.column1 * 65536
    + (instr(digits.column1, substr(k.hash, place.column1 * 4 + 1, 1)) - 1) * 4096
    + (instr(digits.column1, substr(k.hash, place.column1 * 4 + 2, 1)) - 1) * 256
    + (instr(digits.column1, substr(k.hash, place.column1 * 4 + 3, 1)) - 1) * 16
    + (instr(digits.column1, substr(k.hash, place.column1 * 4 + 4, 1)) - 1) AS part
  FROM known_picture k, (VALUES ('0123456789abcdef')) digits,
    (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15)) place;
CREATE TRIGGER IF NOT EXISTS known_picture_part_of_new AFTER INSERT ON known_picture BEGIN
  INSERT INTO known_picture_part (part, known_id) SELECT part, id FROM part_of_known_picture WHERE id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS known_picture_part_of_gone BEFORE DELETE ON known_picture BEGIN
  DELETE FROM known_picture_part
  WHERE known_id = old.id AND part IN (SELECT part FROM part_of_known_picture WHERE id = old.id);
END;
CREATE TABLE IF NOT EXISTS known_picture_match (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  picture_id      INTEGER NOT NULL,
  brand           TEXT    NOT NULL,
  source          TEXT    NOT NULL,
  rule            TEXT    NOT NULL CHECK (rule IN ('minor', 'intimate')),
  distance        INTEGER NOT NULL CHECK (distance BETWEEN 0 AND 256),
  r2_key          TEXT,
  report_id       INTEGER REFERENCES report (id) ON DELETE CASCADE,
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS known_picture_match_waiting ON known_picture_match (id) WHERE report_id IS NULL;
CREATE INDEX IF NOT EXISTS known_picture_match_report ON known_picture_match (report_id, picture_id) WHERE report_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS known_picture_match_profile ON known_picture_match (profile_id);
CREATE TABLE IF NOT EXISTS album_grant (
  owner_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  member_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  state           TEXT    NOT NULL CHECK (state IN ('requested', 'granted')),
  ts_expires      INTEGER,
  ts_created      INTEGER NOT NULL,
  was_requested   INTEGER NOT NULL DEFAULT 0 CHECK (was_requested IN (0, 1)),
  PRIMARY KEY (owner_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS album_grant_member ON album_grant (member_id, owner_id);
CREATE INDEX IF NOT EXISTS album_grant_expires ON album_grant (ts_expires) WHERE ts_expires IS NOT NULL;
CREATE TABLE IF NOT EXISTS profile_like (
  liker_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  liked_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  like_type       TEXT    NOT NULL CHECK (like_type IN ('LIKE', 'DISLIKE', 'UNDETERMINED', 'ERROR')),
  ts_created      INTEGER NOT NULL,
  mutual          INTEGER NOT NULL DEFAULT 0 CHECK (mutual IN (0, 1)),
  PRIMARY KEY (liker_id, liked_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS profile_like_given ON profile_like (liker_id, like_type, ts_created DESC, liked_id, mutual);
CREATE INDEX IF NOT EXISTS profile_like_received ON profile_like (liked_id, like_type, ts_created DESC, liker_id, mutual);
CREATE TRIGGER IF NOT EXISTS profile_like_of_new AFTER INSERT ON profile_like WHEN new.like_type = 'LIKE' BEGIN
  UPDATE profile_like SET mutual = 1 WHERE like_type = 'LIKE'
    AND (liker_id, liked_id) IN (VALUES (new.liker_id, new.liked_id), (new.liked_id, new.liker_id))
    AND EXISTS (SELECT 1 FROM profile_like r
                WHERE r.liker_id = new.liked_id AND r.liked_id = new.liker_id AND r.like_type = 'LIKE');
END;
CREATE TRIGGER IF NOT EXISTS profile_like_changed AFTER UPDATE OF like_type ON profile_like
WHEN new.like_type <> old.like_type AND (new.like_type = 'LIKE' OR old.mutual = 1) BEGIN
  UPDATE profile_like SET mutual = new.like_type = 'LIKE' AND EXISTS (SELECT 1 FROM profile_like r
                WHERE r.liker_id = new.liked_id AND r.liked_id = new.liker_id AND r.like_type = 'LIKE')
  WHERE (liker_id, liked_id) IN (VALUES (new.liker_id, new.liked_id), (new.liked_id, new.liker_id))
    AND (like_type = 'LIKE' OR mutual = 1);
END;
CREATE TRIGGER IF NOT EXISTS profile_like_gone AFTER DELETE ON profile_like WHEN old.mutual = 1 BEGIN
  UPDATE profile_like SET mutual = 0 WHERE liker_id = old.liked_id AND liked_id = old.liker_id;
END;
CREATE TABLE IF NOT EXISTS picture_like (
  liker_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  picture_id      INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  owner_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  like_type       TEXT    NOT NULL CHECK (like_type IN ('LIKE', 'DISLIKE', 'UNDETERMINED', 'ERROR')),
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (liker_id, picture_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS picture_like_given ON picture_like (liker_id, like_type, ts_created DESC, picture_id);
CREATE INDEX IF NOT EXISTS picture_like_received ON picture_like (owner_id, like_type, ts_created DESC, picture_id, liker_id);
CREATE INDEX IF NOT EXISTS picture_like_picture ON picture_like (picture_id);
CREATE TABLE IF NOT EXISTS profile_note (
  author_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  about_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  body_text       TEXT    NOT NULL DEFAULT '' CHECK (length(body_text) <= 4000),
  private_tags    TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(private_tags)),
  ts_updated      INTEGER NOT NULL,
  bytes           INTEGER NOT NULL GENERATED ALWAYS AS (octet_length(body_text) + octet_length(private_tags) + 200
                    + iif(octet_length(body_text) + octet_length(private_tags) > 900, 4096, 0)) VIRTUAL,
  PRIMARY KEY (author_id, about_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS profile_note_about ON profile_note (about_id);
CREATE INDEX IF NOT EXISTS profile_note_latest ON profile_note (author_id, ts_updated DESC, about_id);
CREATE TABLE IF NOT EXISTS stored_bytes (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  notes           INTEGER NOT NULL DEFAULT 0,
  pictures        INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_new_note AFTER INSERT ON profile_note BEGIN
  INSERT INTO stored_bytes (profile_id, notes) VALUES (new.author_id, new.bytes)
  ON CONFLICT (profile_id) DO UPDATE SET notes = notes + excluded.notes;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_changed_note AFTER UPDATE OF body_text, private_tags ON profile_note
WHEN new.bytes <> old.bytes BEGIN
  UPDATE stored_bytes SET notes = notes + new.bytes - old.bytes WHERE profile_id = new.author_id;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_gone_note AFTER DELETE ON profile_note BEGIN
  UPDATE stored_bytes SET notes = notes - old.bytes WHERE profile_id = old.author_id;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_new_picture AFTER INSERT ON picture BEGIN
  INSERT INTO stored_bytes (profile_id, pictures) VALUES (new.profile_id, new.bytes)
  ON CONFLICT (profile_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_replaced_picture AFTER UPDATE OF bytes ON picture WHEN new.bytes <> old.bytes BEGIN
  UPDATE stored_bytes SET pictures = pictures + new.bytes - old.bytes WHERE profile_id = new.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_gone_picture AFTER DELETE ON picture BEGIN
  UPDATE stored_bytes SET pictures = pictures - old.bytes WHERE profile_id = old.profile_id;
END;
CREATE TABLE IF NOT EXISTS kept_away_address (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  mark            TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS kept_away_address_of ON kept_away_address (mark, profile_id);
CREATE INDEX IF NOT EXISTS kept_away_address_profile ON kept_away_address (profile_id, id);
CREATE TABLE IF NOT EXISTS block (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  other_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  blocked_by_profile INTEGER NOT NULL CHECK (blocked_by_profile IN (0, 1)),
  blocked_by_other INTEGER NOT NULL CHECK (blocked_by_other IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  address_id      INTEGER REFERENCES kept_away_address (id) ON DELETE CASCADE,
  PRIMARY KEY (profile_id, other_id),
  CHECK (blocked_by_profile OR blocked_by_other OR address_id IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS block_address ON block (address_id) WHERE address_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS block_other ON block (other_id);
CREATE TABLE IF NOT EXISTS health_panel (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  hiv_status      TEXT    CHECK (hiv_status IN ('negative', 'positive', 'undetectable')),
  prep            TEXT    CHECK (prep IN ('daily', 'on-demand', 'injection', 'no')),
  doxy_pep        TEXT    CHECK (doxy_pep IN ('yes', 'no')),
  vaccines        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(vaccines)),
  last_test       TEXT,
  audiences       TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(audiences)),
  reminder_months INTEGER NOT NULL DEFAULT 0 CHECK (reminder_months IN (0, 3, 6, 12)),
  ts_reminder     INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS health_panel_reminder ON health_panel (ts_reminder) WHERE ts_reminder IS NOT NULL;
-- message databases: begin
CREATE TABLE IF NOT EXISTS message (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id       INTEGER NOT NULL,
  recipient_id    INTEGER,
  low_id          INTEGER,
  high_id         INTEGER,
  client_id       TEXT    NOT NULL,
  body_text       TEXT    NOT NULL DEFAULT '' CHECK (length(body_text) <= 4000),
  picture_ids     TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(picture_ids) AND json_type(picture_ids) = 'array'
                  AND substr(picture_ids, 2, length(picture_ids) - 2) NOT GLOB '*[^0-9,]*'),
  attachment      TEXT    CHECK (attachment IS NULL OR json_valid(attachment)),
  brand           TEXT    NOT NULL,
  sector          INTEGER,
  flagged         INTEGER NOT NULL DEFAULT 0 CHECK (flagged IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  ts_delivered    INTEGER,
  ts_recipient_read INTEGER,
  ts_recipient_deleted INTEGER,
  ts_sender_deleted INTEGER,
  ts_unsent       INTEGER,
  filtered        INTEGER NOT NULL DEFAULT 0 CHECK (filtered IN (0, 1)),
  unsend_due      INTEGER NOT NULL DEFAULT 0 CHECK (unsend_due IN (0, 1)),
  upload_id       INTEGER,
  unsynced_version INTEGER,
  CHECK ((recipient_id IS NULL) = (low_id IS NULL) AND (recipient_id IS NULL) = (high_id IS NULL)),
  CHECK ((recipient_id IS NULL) = (sector IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS message_client ON message (sender_id, client_id);
CREATE INDEX IF NOT EXISTS message_by_pair ON message (low_id, high_id, id) WHERE low_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS message_sector ON message (brand, sector, id) WHERE sector IS NOT NULL AND ts_unsent IS NULL;
CREATE INDEX IF NOT EXISTS message_recipient ON message (recipient_id) WHERE recipient_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS message_sender ON message (sender_id) WHERE recipient_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS message_unread ON message (recipient_id, sender_id, id)
  WHERE recipient_id IS NOT NULL AND ts_recipient_read IS NULL;
CREATE INDEX IF NOT EXISTS message_undelivered ON message (recipient_id, id)
  WHERE recipient_id IS NOT NULL AND ts_delivered IS NULL;
CREATE INDEX IF NOT EXISTS message_filtered ON message (sender_id, recipient_id) WHERE filtered = 1;
CREATE INDEX IF NOT EXISTS message_unsend_due ON message (sender_id, recipient_id) WHERE unsend_due = 1;
CREATE INDEX IF NOT EXISTS message_unsynced ON message (low_id, high_id, unsynced_version) WHERE unsynced_version IS NOT NULL;
CREATE TABLE IF NOT EXISTS message_pair (
  low_id          INTEGER NOT NULL,
  high_id         INTEGER NOT NULL,
  low_count       INTEGER NOT NULL DEFAULT 0,
  high_count      INTEGER NOT NULL DEFAULT 0,
  shard           INTEGER NOT NULL DEFAULT 0,
  version         INTEGER NOT NULL DEFAULT 0,
  synced_version  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS message_pair_high ON message_pair (high_id);
CREATE INDEX IF NOT EXISTS message_pair_low_shard ON message_pair (low_id, shard) WHERE shard > 0;
CREATE INDEX IF NOT EXISTS message_pair_high_shard ON message_pair (high_id, shard) WHERE shard > 0;
CREATE INDEX IF NOT EXISTS message_pair_outdated ON message_pair (low_id, high_id) WHERE version > synced_version;
CREATE TRIGGER IF NOT EXISTS message_pair_of_sent_message AFTER INSERT ON message WHEN new.recipient_id IS NOT NULL BEGIN
  INSERT INTO message_pair (low_id, high_id, low_count, high_count)
  VALUES (new.low_id, new.high_id, new.sender_id = new.low_id, new.sender_id = new.high_id)
  ON CONFLICT (low_id, high_id) DO UPDATE
  SET low_count = low_count + excluded.low_count, high_count = high_count + excluded.high_count
  WHERE CASE WHEN excluded.low_count THEN low_count ELSE high_count END < 5;
END;
CREATE TABLE IF NOT EXISTS conversation (
  profile_id      INTEGER NOT NULL,
  other_id        INTEGER NOT NULL,
  last_message_id INTEGER NOT NULL,
  unread          INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (profile_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS conversation_latest ON conversation (profile_id, last_message_id DESC, other_id, unread);
CREATE INDEX IF NOT EXISTS conversation_unread ON conversation (profile_id) WHERE unread > 0;
CREATE INDEX IF NOT EXISTS conversation_other ON conversation (other_id);
-- message databases: end
CREATE TRIGGER IF NOT EXISTS messages_of_gone_profile AFTER DELETE ON profile BEGIN
  DELETE FROM message WHERE sender_id = old.id;
  DELETE FROM message WHERE recipient_id = old.id;
  DELETE FROM conversation WHERE profile_id = old.id;
  DELETE FROM conversation WHERE other_id = old.id;
  DELETE FROM message_pair WHERE low_id = old.id;
  DELETE FROM message_pair WHERE high_id = old.id;
END;
CREATE TABLE IF NOT EXISTS message_picture (
  picture_id      INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  reader_id       INTEGER NOT NULL,
  message_id      INTEGER NOT NULL,
  PRIMARY KEY (picture_id, reader_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS message_picture_message ON message_picture (message_id);
CREATE TRIGGER IF NOT EXISTS message_picture_of_sent_message AFTER INSERT ON message WHEN new.picture_ids <> '[]' BEGIN
  INSERT INTO message_picture
  SELECT DISTINCT pic.id, iif(new.filtered, new.sender_id, ifnull(new.recipient_id, 0)), new.id
  FROM json_each(new.picture_ids) sent JOIN picture pic ON pic.id = sent.value AND pic.profile_id = new.sender_id;
END;
CREATE TRIGGER IF NOT EXISTS message_picture_of_gone_message
AFTER UPDATE OF ts_unsent, ts_recipient_deleted, ts_sender_deleted, picture_ids ON message
WHEN old.picture_ids <> '[]' AND (new.ts_unsent IS NOT NULL OR new.ts_recipient_deleted IS NOT NULL OR new.picture_ids = '[]')
BEGIN
  DELETE FROM message_picture WHERE message_id = new.id
    AND (new.ts_unsent IS NOT NULL OR new.ts_sender_deleted IS NOT NULL OR new.picture_ids = '[]');
  UPDATE message_picture SET reader_id = new.sender_id WHERE message_id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS message_picture_of_deleted_message AFTER DELETE ON message WHEN old.picture_ids <> '[]' BEGIN
  DELETE FROM message_picture WHERE message_id = old.id;
END;
CREATE TABLE IF NOT EXISTS voice (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  client_id       TEXT    NOT NULL,
  r2_key          TEXT    NOT NULL UNIQUE,
  mime            TEXT    NOT NULL CHECK (mime IN ('audio/mp4', 'audio/webm')),
  bytes           INTEGER NOT NULL,
  duration_ms     INTEGER NOT NULL,
  peaks           TEXT    NOT NULL CHECK (json_valid(peaks)),
  once            INTEGER NOT NULL DEFAULT 0 CHECK (once IN (0, 1)),
  message_id      INTEGER UNIQUE,
  ts_created      INTEGER NOT NULL,
  ts_due          INTEGER,
  UNIQUE (profile_id, client_id)
) STRICT;
CREATE INDEX IF NOT EXISTS voice_due ON voice (ts_due) WHERE ts_due IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_new_voice AFTER INSERT ON voice BEGIN
  INSERT INTO stored_bytes (profile_id, pictures) VALUES (new.profile_id, new.bytes)
  ON CONFLICT (profile_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_gone_voice AFTER DELETE ON voice BEGIN
  UPDATE stored_bytes SET pictures = pictures - old.bytes WHERE profile_id = old.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS voice_of_gone_message
AFTER UPDATE OF ts_unsent, ts_recipient_deleted, ts_sender_deleted, attachment ON message
WHEN old.attachment IS NOT NULL AND (new.ts_unsent IS NOT NULL OR new.attachment IS NULL
  OR (new.ts_recipient_deleted IS NOT NULL AND new.ts_sender_deleted IS NOT NULL))
BEGIN
  UPDATE voice SET ts_due = 0 WHERE message_id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS voice_of_deleted_message AFTER DELETE ON message WHEN old.attachment IS NOT NULL BEGIN
  UPDATE voice SET ts_due = 0 WHERE message_id = old.id;
END;
CREATE TABLE IF NOT EXISTS profile_voice (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  id              INTEGER NOT NULL UNIQUE,
  audience        TEXT    NOT NULL CHECK (audience IN ('public', 'private')),
  r2_key          TEXT    NOT NULL UNIQUE,
  mime            TEXT    NOT NULL CHECK (mime IN ('audio/mp4', 'audio/webm')),
  bytes           INTEGER NOT NULL,
  duration_ms     INTEGER NOT NULL,
  peaks           TEXT    NOT NULL CHECK (json_valid(peaks)),
  removed         INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1, 2)),
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS profile_voice_removed ON profile_voice (profile_id) WHERE removed = 1;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_new_introduction AFTER INSERT ON profile_voice BEGIN
  INSERT INTO stored_bytes (profile_id, pictures) VALUES (new.profile_id, new.bytes)
  ON CONFLICT (profile_id) DO UPDATE SET pictures = pictures + excluded.pictures;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_replaced_introduction AFTER UPDATE OF bytes ON profile_voice WHEN new.bytes <> old.bytes BEGIN
  UPDATE stored_bytes SET pictures = pictures + new.bytes - old.bytes WHERE profile_id = new.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS stored_bytes_of_gone_introduction AFTER DELETE ON profile_voice BEGIN
  UPDATE stored_bytes SET pictures = pictures - old.bytes WHERE profile_id = old.profile_id;
END;
CREATE TABLE IF NOT EXISTS once_view (
  id              INTEGER PRIMARY KEY,
  picture_id      INTEGER UNIQUE REFERENCES picture (id) ON DELETE CASCADE,
  voice_id        INTEGER UNIQUE REFERENCES voice (id) ON DELETE CASCADE,
  message_id      INTEGER UNIQUE,
  sender_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  reader_id       INTEGER,
  ts_due          INTEGER NOT NULL,
  ts_opened       INTEGER,
  session_id      INTEGER,
  open_token      TEXT,
  CHECK ((picture_id IS NULL) <> (voice_id IS NULL))
) STRICT;
CREATE INDEX IF NOT EXISTS once_view_due ON once_view (ts_due);
CREATE INDEX IF NOT EXISTS once_view_pair ON once_view (sender_id, reader_id);
CREATE TRIGGER IF NOT EXISTS once_view_of_gone_message
AFTER UPDATE OF ts_unsent, ts_recipient_deleted, attachment ON message
WHEN old.attachment IS NOT NULL
  AND (new.ts_unsent IS NOT NULL OR new.ts_recipient_deleted IS NOT NULL OR new.attachment IS NULL)
BEGIN
  UPDATE once_view SET ts_due = 0 WHERE message_id = new.id;
END;
CREATE TRIGGER IF NOT EXISTS once_view_of_deleted_message AFTER DELETE ON message WHEN old.attachment IS NOT NULL BEGIN
  UPDATE once_view SET ts_due = 0 WHERE message_id = old.id;
END;
CREATE TRIGGER IF NOT EXISTS once_view_of_blocked AFTER INSERT ON block BEGIN
  UPDATE once_view SET ts_due = 0 WHERE sender_id = new.profile_id AND reader_id = new.other_id;
END;
CREATE TABLE IF NOT EXISTS picture_decline (
  sender_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  decliner_id     INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  ts_declined     INTEGER NOT NULL,
  PRIMARY KEY (sender_id, decliner_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS picture_decline_old ON picture_decline (ts_declined);
CREATE INDEX IF NOT EXISTS picture_decline_decliner ON picture_decline (decliner_id, sender_id);
CREATE TABLE IF NOT EXISTS notification (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL,
  about_id        INTEGER REFERENCES profile (id) ON DELETE CASCADE,
  body_text       TEXT    NOT NULL,
  url             TEXT,
  brand           TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS notification_profile ON notification (profile_id, id DESC);
CREATE INDEX IF NOT EXISTS notification_created ON notification (ts_created);
CREATE INDEX IF NOT EXISTS notification_about ON notification (about_id, profile_id) WHERE about_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS push_subscription (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  session_id      INTEGER REFERENCES session (id) ON DELETE CASCADE,
  device_name     TEXT    NOT NULL,
  endpoint        TEXT    NOT NULL UNIQUE,
  expiration_time INTEGER NOT NULL DEFAULT 0,
  auth_base64     TEXT    NOT NULL,
  p256dh_base64   TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS push_subscription_profile ON push_subscription (profile_id);
CREATE INDEX IF NOT EXISTS push_subscription_session ON push_subscription (session_id);
CREATE TABLE IF NOT EXISTS contact_message (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  kind            TEXT    NOT NULL CHECK (kind IN ('contact', 'problem')),
  profile_id      INTEGER REFERENCES profile (id) ON DELETE SET NULL,
  brand           TEXT    NOT NULL,
  name            TEXT    NOT NULL,
  message         TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  ts_done         INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS contact_message_open ON contact_message (brand, id) WHERE ts_done IS NULL;
CREATE INDEX IF NOT EXISTS contact_message_done ON contact_message (ts_done) WHERE ts_done IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_message_profile ON contact_message (profile_id) WHERE profile_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS report (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  case_ref        TEXT    NOT NULL UNIQUE,
  brand           TEXT    NOT NULL,
  subject_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  source          TEXT    NOT NULL CHECK (source IN ('profile', 'message', 'picture', 'broadcast')),
  source_id       INTEGER NOT NULL,
  category        TEXT    NOT NULL CHECK (category IN ('harassment', 'hate', 'spam', 'scam', 'impersonation', 'bot',
                    'explicit', 'behaviour', 'other', 'minor', 'threat', 'intimate')),
  severity        INTEGER NOT NULL,
  staff_only      INTEGER NOT NULL DEFAULT 0 CHECK (staff_only IN (0, 1)),
  staff_reason    TEXT    CHECK (staff_reason IN ('rule', 'private', 'record', 'cleared', 'few', 'recent', 'contact', 'alike', 'joined', 'withdrawn', 'undecided', 'recommended', 'found')),
  credibility     REAL    NOT NULL DEFAULT 0,
  priority        REAL    NOT NULL DEFAULT 0,
  filings         INTEGER NOT NULL DEFAULT 0,
  state           TEXT    NOT NULL CHECK (state IN ('staff', 'jury', 'decided')),
  outcome         TEXT    CHECK (outcome IN ('none', 'warn', 'hide_picture', 'suspend', 'ban')),
  ts_created      INTEGER NOT NULL,
  ts_decided      INTEGER
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS report_open ON report (subject_id, brand, staff_only) WHERE state <> 'decided';
CREATE INDEX IF NOT EXISTS report_queue ON report (brand, state, priority DESC, id);
CREATE INDEX IF NOT EXISTS report_network_queue ON report (state, priority DESC, id);
CREATE INDEX IF NOT EXISTS report_settled ON report (ts_decided) WHERE state = 'decided';
CREATE INDEX IF NOT EXISTS report_subject ON report (subject_id, id);
CREATE TABLE IF NOT EXISTS report_filing (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  reporter_id     INTEGER REFERENCES profile (id) ON DELETE CASCADE,
  category        TEXT    NOT NULL,
  source          TEXT    NOT NULL CHECK (source IN ('profile', 'message', 'picture', 'broadcast')),
  text            TEXT    NOT NULL CHECK (length(text) <= 4000),
  credibility     REAL    NOT NULL,
  filer           TEXT    NOT NULL DEFAULT 'member' CHECK (filer IN ('member', 'game', 'staff', 'clock', 'visitor')),
  ts_created      INTEGER NOT NULL,
  UNIQUE (report_id, reporter_id)
) STRICT;
CREATE INDEX IF NOT EXISTS report_filing_reporter ON report_filing (reporter_id, report_id) WHERE reporter_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS evidence (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  author_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('profile', 'message', 'picture', 'voice')),
  source_id       INTEGER NOT NULL,
  body            TEXT    NOT NULL CHECK (json_valid(body)),
  r2_key          TEXT,
  staff_only      INTEGER NOT NULL DEFAULT 0 CHECK (staff_only IN (0, 1)),
  ts_source       INTEGER NOT NULL,
  withdrawn       INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)),
  UNIQUE (report_id, kind, source_id)
) STRICT;
CREATE INDEX IF NOT EXISTS evidence_message ON evidence (source_id) WHERE kind = 'message';
CREATE INDEX IF NOT EXISTS evidence_object ON evidence (r2_key) WHERE r2_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS evidence_author ON evidence (author_id);
CREATE TABLE IF NOT EXISTS jury (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  round           INTEGER NOT NULL CHECK (round BETWEEN 1 AND 3),
  state           TEXT    NOT NULL CHECK (state IN ('open', 'decided')),
  verdict         TEXT    CHECK (verdict IN ('violation', 'no_violation')),
  sanction        TEXT    CHECK (sanction IN ('warn', 'hide_picture', 'suspend_3', 'suspend_7', 'suspend_30')),
  pool            INTEGER NOT NULL DEFAULT 0,
  ts_opened       INTEGER NOT NULL,
  ts_decided      INTEGER,
  UNIQUE (report_id, round)
) STRICT;
CREATE INDEX IF NOT EXISTS jury_open ON jury (ts_opened) WHERE state = 'open';
CREATE TABLE IF NOT EXISTS juror (
  jury_id         INTEGER NOT NULL REFERENCES jury (id) ON DELETE CASCADE,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  state           TEXT    NOT NULL CHECK (state IN ('summoned', 'voted', 'excused')),
  verdict         TEXT    CHECK (verdict IN ('violation', 'no_violation')),
  sanction        TEXT    CHECK (sanction IN ('warn', 'hide_picture', 'suspend_3', 'suspend_7', 'suspend_30')),
  reason          TEXT    NOT NULL DEFAULT '' CHECK (length(reason) <= 4000),
  with_majority   INTEGER CHECK (with_majority IN (0, 1)),
  ts_summoned     INTEGER NOT NULL,
  ts_voted        INTEGER,
  PRIMARY KEY (jury_id, profile_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS juror_profile ON juror (profile_id, state, jury_id);
CREATE INDEX IF NOT EXISTS juror_waiting ON juror (ts_summoned) WHERE state = 'summoned';
CREATE TABLE IF NOT EXISTS juror_record (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  opted_out       INTEGER NOT NULL DEFAULT 0 CHECK (opted_out IN (0, 1)),
  summoned        INTEGER NOT NULL DEFAULT 0,
  voted           INTEGER NOT NULL DEFAULT 0,
  with_majority   INTEGER NOT NULL DEFAULT 0,
  overturned      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS moderation_action (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  report_id       INTEGER REFERENCES report (id) ON DELETE SET NULL,
  case_ref        TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  kind            TEXT    NOT NULL CHECK (kind IN ('warn', 'hide_picture', 'suspend', 'ban')),
  picture_id      INTEGER REFERENCES picture (id) ON DELETE SET NULL,
  rule            TEXT    NOT NULL,
  reason          TEXT    NOT NULL CHECK (length(reason) <= 4000),
  by_jury         INTEGER NOT NULL CHECK (by_jury IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  ts_until        INTEGER,
  ts_lifted       INTEGER,
  lifted_by       TEXT    CHECK (lifted_by IN ('time', 'appeal', 'staff')),
  CHECK (kind <> 'suspend' OR ts_until IS NOT NULL)
) STRICT;
CREATE INDEX IF NOT EXISTS moderation_action_profile ON moderation_action (profile_id, ts_lifted, kind);
CREATE INDEX IF NOT EXISTS moderation_action_report ON moderation_action (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS moderation_action_picture ON moderation_action (picture_id) WHERE picture_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS moderation_action_due ON moderation_action (ts_until) WHERE ts_lifted IS NULL AND ts_until IS NOT NULL;
CREATE TABLE IF NOT EXISTS ban_mark (
  id              INTEGER PRIMARY KEY,
  kind            TEXT    NOT NULL CHECK (kind IN ('address', 'device', 'picture')),
  mark            TEXT    NOT NULL,
  case_ref        TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  rule            TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  ts_until        INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS ban_mark_of ON ban_mark (kind, mark);
CREATE INDEX IF NOT EXISTS ban_mark_case ON ban_mark (case_ref);
CREATE INDEX IF NOT EXISTS ban_mark_until ON ban_mark (ts_until);
CREATE TABLE IF NOT EXISTS ban_match (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('device', 'picture')),
  case_ref        TEXT    NOT NULL,
  rule            TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  picture_id      INTEGER,
  distance        INTEGER,
  report_id       INTEGER REFERENCES report (id) ON DELETE CASCADE,
  ts_created      INTEGER NOT NULL,
  UNIQUE (profile_id, case_ref, kind)
) STRICT;
CREATE INDEX IF NOT EXISTS ban_match_waiting ON ban_match (id) WHERE report_id IS NULL;
CREATE INDEX IF NOT EXISTS ban_match_report ON ban_match (report_id) WHERE report_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS appeal (
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  side            TEXT    NOT NULL CHECK (side IN ('subject', 'reporter')),
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  text            TEXT    NOT NULL CHECK (length(text) <= 4000),
  jury_id         INTEGER REFERENCES jury (id) ON DELETE SET NULL,
  result          TEXT    CHECK (result IN ('upheld', 'reversed')),
  ts_created      INTEGER NOT NULL,
  ts_decided      INTEGER,
  PRIMARY KEY (report_id, side)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS appeal_profile ON appeal (profile_id);
CREATE INDEX IF NOT EXISTS appeal_staff ON appeal (ts_created) WHERE jury_id IS NULL AND result IS NULL;
CREATE INDEX IF NOT EXISTS appeal_jury ON appeal (jury_id) WHERE jury_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS precedent (
  report_id       INTEGER PRIMARY KEY REFERENCES report (id) ON DELETE CASCADE,
  brand           TEXT    NOT NULL,
  category        TEXT    NOT NULL,
  outcome         TEXT    NOT NULL,
  summary         TEXT    NOT NULL,
  ts_decided      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS precedent_category ON precedent (brand, category, ts_decided DESC);
CREATE INDEX IF NOT EXISTS precedent_latest ON precedent (brand, ts_decided DESC);
CREATE TABLE IF NOT EXISTS notice (
  id              INTEGER PRIMARY KEY,
  ref             TEXT    NOT NULL UNIQUE,
  case_ref        TEXT    NOT NULL UNIQUE,
  brand           TEXT    NOT NULL,
  kind            TEXT    NOT NULL CHECK (kind IN ('intimate', 'illegal')),
  category        TEXT    NOT NULL,
  role            TEXT    CHECK (role IN ('shown', 'authorised')),
  locale          TEXT    NOT NULL CHECK (locale IN ('en', 'es')),
  name            TEXT    NOT NULL DEFAULT '',
  email           TEXT    NOT NULL DEFAULT '',
  contact         TEXT    NOT NULL DEFAULT '',
  location        TEXT    NOT NULL DEFAULT '' CHECK (length(location) <= 2000),
  explanation     TEXT    NOT NULL DEFAULT '' CHECK (length(explanation) <= 4000),
  upload_hash     TEXT,
  sender_network  BLOB,
  sender_mailbox  BLOB,
  anonymous       INTEGER NOT NULL DEFAULT 0 CHECK (anonymous IN (0, 1)),
  state           TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'asked', 'removed', 'rejected', 'forwarded')),
  reason          TEXT    NOT NULL DEFAULT '' CHECK (length(reason) <= 4000),
  unfounded       INTEGER NOT NULL DEFAULT 0 CHECK (unfounded IN (0, 1)),
  report_id       INTEGER REFERENCES report (id) ON DELETE SET NULL,
  decided_by      INTEGER REFERENCES account (id) ON DELETE SET NULL,
  ts_created      INTEGER NOT NULL,
  ts_confirmed    INTEGER,
  ts_matched      INTEGER,
  ts_staff_alerted INTEGER,
  ts_decided      INTEGER,
  ts_notified     INTEGER,
  ts_erased       INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS notice_open ON notice (brand, ts_created) WHERE ts_decided IS NULL;
CREATE INDEX IF NOT EXISTS notice_unmatched ON notice (id) WHERE ts_matched IS NULL AND ts_confirmed IS NOT NULL;
CREATE INDEX IF NOT EXISTS notice_alarm ON notice (ts_created) WHERE ts_decided IS NULL AND ts_staff_alerted IS NULL AND kind = 'intimate';
CREATE INDEX IF NOT EXISTS notice_decided ON notice (brand, ts_decided) WHERE ts_decided IS NOT NULL;
CREATE INDEX IF NOT EXISTS notice_kept ON notice (ts_decided) WHERE ts_decided IS NOT NULL AND ts_erased IS NULL;
CREATE INDEX IF NOT EXISTS notice_forwarded ON notice (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS notice_decided_by ON notice (decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS notice_network ON notice (sender_network, ts_decided) WHERE sender_network IS NOT NULL;
CREATE INDEX IF NOT EXISTS notice_mailbox ON notice (sender_mailbox, ts_decided) WHERE sender_mailbox IS NOT NULL;
CREATE TABLE IF NOT EXISTS notice_message (
  id              INTEGER PRIMARY KEY,
  notice_id       INTEGER NOT NULL REFERENCES notice (id) ON DELETE CASCADE,
  by_staff        INTEGER NOT NULL CHECK (by_staff IN (0, 1)),
  text            TEXT    NOT NULL CHECK (length(text) <= 4000),
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS notice_message_notice ON notice_message (notice_id, id);
CREATE TABLE IF NOT EXISTS notice_picture (
  notice_id       INTEGER NOT NULL REFERENCES notice (id) ON DELETE CASCADE,
  picture_id      INTEGER NOT NULL,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  version         INTEGER NOT NULL,
  state           TEXT    NOT NULL CHECK (state IN ('named', 'hidden', 'removed', 'cleared', 'deleted')),
  hidden_immediately INTEGER NOT NULL DEFAULT 0 CHECK (hidden_immediately IN (0, 1)),
  hash            TEXT,
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (notice_id, picture_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notice_picture_withheld ON notice_picture (picture_id) WHERE state IN ('hidden', 'removed');
CREATE INDEX IF NOT EXISTS notice_picture_picture ON notice_picture (picture_id, state);
CREATE INDEX IF NOT EXISTS notice_picture_profile ON notice_picture (profile_id, notice_id);
CREATE TABLE IF NOT EXISTS notice_counter (
  notice_id       INTEGER NOT NULL REFERENCES notice (id) ON DELETE CASCADE,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  text            TEXT    NOT NULL CHECK (length(text) <= 4000),
  result          TEXT    CHECK (result IN ('upheld', 'refused')),
  reason          TEXT    NOT NULL DEFAULT '' CHECK (length(reason) <= 4000),
  ts_created      INTEGER NOT NULL,
  ts_decided      INTEGER,
  PRIMARY KEY (notice_id, profile_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notice_counter_profile ON notice_counter (profile_id);
CREATE INDEX IF NOT EXISTS notice_counter_open ON notice_counter (notice_id) WHERE result IS NULL;
CREATE TABLE IF NOT EXISTS audit_entry (
  seq             INTEGER PRIMARY KEY,
  ts              INTEGER NOT NULL,
  brand           TEXT    NOT NULL,
  action          TEXT    NOT NULL,
  case_ref        TEXT,
  body            TEXT    NOT NULL CHECK (json_valid(body)),
  previous_hash   TEXT    NOT NULL,
  hash            TEXT    NOT NULL UNIQUE
) STRICT;
CREATE INDEX IF NOT EXISTS audit_entry_case ON audit_entry (case_ref, seq) WHERE case_ref IS NOT NULL;
CREATE INDEX IF NOT EXISTS audit_entry_brand ON audit_entry (brand, seq);
CREATE INDEX IF NOT EXISTS audit_entry_action ON audit_entry (action, ts);
CREATE TRIGGER IF NOT EXISTS audit_entry_unchangeable BEFORE UPDATE ON audit_entry BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER IF NOT EXISTS audit_entry_undeletable BEFORE DELETE ON audit_entry BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TABLE IF NOT EXISTS audit_private (
  seq             INTEGER PRIMARY KEY REFERENCES audit_entry (seq),
  subject_id      INTEGER REFERENCES profile (id) ON DELETE CASCADE,
  actor_id        INTEGER REFERENCES account (id) ON DELETE SET NULL,
  salt            TEXT    NOT NULL,
  details         TEXT    NOT NULL CHECK (json_valid(details))
) STRICT;
CREATE INDEX IF NOT EXISTS audit_private_subject ON audit_private (subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS audit_private_actor ON audit_private (actor_id) WHERE actor_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS public_entry (
  seq             INTEGER PRIMARY KEY,
  entry_seq       INTEGER UNIQUE REFERENCES audit_entry (seq),
  brand           TEXT    NOT NULL,
  action          TEXT    NOT NULL,
  case_ref        TEXT,
  body            TEXT    NOT NULL CHECK (json_valid(body)),
  previous_hash   TEXT    NOT NULL,
  hash            TEXT    NOT NULL UNIQUE
) STRICT;
CREATE INDEX IF NOT EXISTS public_entry_case ON public_entry (case_ref, seq) WHERE case_ref IS NOT NULL;
CREATE INDEX IF NOT EXISTS public_entry_brand ON public_entry (brand, action);
CREATE TRIGGER IF NOT EXISTS public_entry_unchangeable BEFORE UPDATE ON public_entry BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER IF NOT EXISTS public_entry_undeletable BEFORE DELETE ON public_entry BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TABLE IF NOT EXISTS audit_day (
  day             INTEGER PRIMARY KEY,
  salt            TEXT    NOT NULL,
  cases           TEXT    NOT NULL CHECK (json_valid(cases)),
  opened          INTEGER NOT NULL DEFAULT 0 CHECK (opened IN (0, 1))
) STRICT;
CREATE INDEX IF NOT EXISTS audit_day_waiting ON audit_day (day) WHERE opened = 0;
CREATE TABLE IF NOT EXISTS explicit_share (
  brand           TEXT    NOT NULL,
  country         TEXT    NOT NULL,
  pictures        INTEGER NOT NULL,
  explicit        INTEGER NOT NULL,
  ts_counted      INTEGER NOT NULL,
  PRIMARY KEY (brand, country)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS member_count (
  brand           INTEGER PRIMARY KEY,
  members         INTEGER NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS member_count_of_new_profile AFTER INSERT ON profile WHEN new.status <> 'deleted' BEGIN
  INSERT INTO member_count SELECT bit.value, 1 FROM bit WHERE new.shared_on & bit.value
  ON CONFLICT (brand) DO UPDATE SET members = members + 1;
END;
CREATE TRIGGER IF NOT EXISTS member_count_of_gone_profile AFTER DELETE ON profile WHEN old.status <> 'deleted' BEGIN
  UPDATE member_count SET members = members - 1 WHERE old.shared_on & brand;
END;
CREATE TRIGGER IF NOT EXISTS member_count_of_changed_profile AFTER UPDATE OF status, shared_on ON profile
WHEN new.shared_on <> old.shared_on OR (new.status = 'deleted') <> (old.status = 'deleted') BEGIN
  UPDATE member_count SET members = members - 1 WHERE old.status <> 'deleted' AND old.shared_on & brand;
  INSERT INTO member_count SELECT bit.value, 1 FROM bit
  WHERE new.status <> 'deleted' AND new.shared_on & bit.value
  ON CONFLICT (brand) DO UPDATE SET members = members + 1;
END;
CREATE TABLE IF NOT EXISTS legal_hold (
  hold_ref        TEXT    PRIMARY KEY,
  report_id       INTEGER NOT NULL UNIQUE,
  case_ref        TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  rule            TEXT    NOT NULL,
  reason          TEXT    NOT NULL CHECK (length(reason) <= 4000),
  confirmed       INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
  key_version     INTEGER NOT NULL,
  salt            TEXT    NOT NULL,
  extensions      INTEGER NOT NULL DEFAULT 0,
  tip_number      TEXT    CHECK (length(tip_number) <= 40),
  ts_tip          INTEGER,
  ts_started      INTEGER NOT NULL,
  ts_until        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS legal_hold_due ON legal_hold (ts_until);
CREATE TABLE IF NOT EXISTS legal_hold_item (
  hold_ref        TEXT    NOT NULL REFERENCES legal_hold (hold_ref) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('record', 'evidence', 'original')),
  evidence_id     INTEGER,
  mac             TEXT    NOT NULL,
  bytes           INTEGER NOT NULL,
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (hold_ref, mac)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS legal_hold_request (
  request_ref     TEXT    PRIMARY KEY,
  hold_ref        TEXT    NOT NULL REFERENCES legal_hold (hold_ref) ON DELETE CASCADE,
  asked_by        INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  agreed_by       INTEGER REFERENCES account (id) ON DELETE CASCADE,
  reason          TEXT    NOT NULL CHECK (length(reason) <= 4000),
  ts_asked        INTEGER NOT NULL,
  ts_agreed       INTEGER,
  CHECK (agreed_by <> asked_by),
  CHECK ((agreed_by IS NULL) = (ts_agreed IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS legal_hold_request_waiting ON legal_hold_request (hold_ref) WHERE ts_agreed IS NULL;
CREATE INDEX IF NOT EXISTS legal_hold_request_hold ON legal_hold_request (hold_ref, ts_agreed);
CREATE INDEX IF NOT EXISTS legal_hold_request_asked ON legal_hold_request (asked_by);
CREATE INDEX IF NOT EXISTS legal_hold_request_agreed ON legal_hold_request (agreed_by) WHERE agreed_by IS NOT NULL;
CREATE TABLE IF NOT EXISTS credit_entry (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  amount          INTEGER NOT NULL,
  reason          TEXT    NOT NULL CHECK (reason IN ('rating', 'buster', 'identify', 'cooties', 'crop', 'jury')),
  ref             TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  UNIQUE (profile_id, reason, ref)
) STRICT;
CREATE INDEX IF NOT EXISTS credit_entry_day ON credit_entry (profile_id, reason, ts_created, amount);
CREATE TRIGGER IF NOT EXISTS credit_of_new_entry AFTER INSERT ON credit_entry BEGIN
  UPDATE profile SET credits = credits + new.amount WHERE id = new.profile_id;
END;
CREATE TABLE IF NOT EXISTS game_item (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  game            TEXT    NOT NULL CHECK (game IN ('rating', 'buster')),
  picture_id      INTEGER REFERENCES picture (id) ON DELETE CASCADE,
  subject_id      INTEGER REFERENCES profile (id) ON DELETE CASCADE,
  version         INTEGER NOT NULL,
  body            TEXT    NOT NULL DEFAULT '',
  known           TEXT,
  answer          TEXT,
  share           REAL    NOT NULL DEFAULT 0,
  votes           INTEGER NOT NULL DEFAULT 0,
  tally           TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(tally)),
  by_staff        INTEGER NOT NULL DEFAULT 0 CHECK (by_staff IN (0, 1)),
  staff_reason    TEXT    CHECK (staff_reason IN ('divided', 'thin', 'doubted', 'owner')),
  ts_staff        INTEGER,
  ts_review_asked INTEGER,
  ts_created      INTEGER NOT NULL,
  ts_decided      INTEGER,
  UNIQUE (game, picture_id, version),
  CHECK (picture_id IS NOT NULL OR subject_id IS NOT NULL OR body <> '')
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS game_item_text ON game_item (subject_id, version) WHERE game = 'buster' AND subject_id IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS game_item_known_text ON game_item (body) WHERE game = 'buster' AND subject_id IS NULL;
CREATE INDEX IF NOT EXISTS game_item_known ON game_item (game, known, id) WHERE known IS NOT NULL;
CREATE INDEX IF NOT EXISTS game_item_picture ON game_item (picture_id) WHERE picture_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS game_item_subject ON game_item (subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS game_item_staff ON game_item (ts_staff) WHERE staff_reason IS NOT NULL;
CREATE INDEX IF NOT EXISTS game_item_review ON game_item (ts_review_asked) WHERE ts_review_asked IS NOT NULL;
CREATE INDEX IF NOT EXISTS game_item_decided ON game_item (game, ts_decided) WHERE ts_decided IS NOT NULL;
CREATE TABLE IF NOT EXISTS game_vote (
  item_id         INTEGER NOT NULL REFERENCES game_item (id) ON DELETE CASCADE,
  voter_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  answer          TEXT    NOT NULL,
  weight          REAL    NOT NULL,
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (item_id, voter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS game_vote_voter ON game_vote (voter_id, item_id);
CREATE TABLE IF NOT EXISTS game_pack (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  game            TEXT    NOT NULL CHECK (game IN ('rating', 'buster')),
  day             INTEGER NOT NULL,
  items           TEXT    NOT NULL CHECK (json_valid(items)),
  issued          INTEGER NOT NULL DEFAULT 0,
  issued_known    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (profile_id, game, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS game_pack_old ON game_pack (day);
CREATE TABLE IF NOT EXISTS game_record (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  game            TEXT    NOT NULL CHECK (game IN ('rating', 'buster', 'identify')),
  votes           INTEGER NOT NULL DEFAULT 0,
  known           TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(known)),
  answers         TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(answers)),
  too_fast        INTEGER NOT NULL DEFAULT 0,
  proven          INTEGER NOT NULL DEFAULT 0 CHECK (proven IN (0, 1)),
  collusion       REAL    NOT NULL DEFAULT 0,
  streak          INTEGER NOT NULL DEFAULT 0,
  best_streak     INTEGER NOT NULL DEFAULT 0,
  ts_last         INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (profile_id, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS game_record_proven ON game_record (game, ts_last) WHERE proven = 1;
CREATE INDEX IF NOT EXISTS game_record_collusion ON game_record (collusion) WHERE collusion > 0;
CREATE TABLE IF NOT EXISTS game_pool (
  game            TEXT    PRIMARY KEY CHECK (game IN ('rating', 'buster')),
  voters          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS identify_round (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  answer_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  picture_id      INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  options         TEXT    NOT NULL CHECK (json_valid(options) AND json_type(options) = 'array'
                  AND substr(options, 2, length(options) - 2) NOT GLOB '*[^0-9,]*'),
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS identify_round_answer ON identify_round (answer_id);
CREATE INDEX IF NOT EXISTS identify_round_picture ON identify_round (picture_id);
CREATE TABLE IF NOT EXISTS crop_suggestion (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  picture_id      INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  version         INTEGER NOT NULL,
  owner_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  author_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  x               REAL    NOT NULL CHECK (x BETWEEN 0 AND 1),
  y               REAL    NOT NULL CHECK (y BETWEEN 0 AND 1),
  width           REAL    NOT NULL CHECK (width > 0 AND width <= 1),
  height          REAL    NOT NULL CHECK (height > 0 AND height <= 1),
  state           TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'applied', 'declined')),
  ts_created      INTEGER NOT NULL,
  UNIQUE (picture_id, version, author_id)
) STRICT;
CREATE INDEX IF NOT EXISTS crop_suggestion_owner ON crop_suggestion (owner_id, state, id);
CREATE INDEX IF NOT EXISTS crop_suggestion_author ON crop_suggestion (author_id);
CREATE INDEX IF NOT EXISTS picture_wants_crop ON picture (id) WHERE wants_crop = 1;
CREATE TABLE IF NOT EXISTS cooties_player (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  brand           INTEGER NOT NULL,
  carrier         INTEGER NOT NULL DEFAULT 0 CHECK (carrier IN (0, 1)),
  from_id         INTEGER REFERENCES profile (id) ON DELETE SET NULL,
  tags            INTEGER NOT NULL DEFAULT 0,
  caught          INTEGER NOT NULL DEFAULT 0,
  ts_caught       INTEGER,
  ts_joined       INTEGER NOT NULL,
  square          INTEGER,
  random_order    INTEGER NOT NULL DEFAULT (abs(random() % 4503599627370496)),
  PRIMARY KEY (brand, profile_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cooties_player_profile ON cooties_player (profile_id);
CREATE INDEX IF NOT EXISTS cooties_player_leader ON cooties_player (brand, tags DESC, caught, profile_id);
CREATE INDEX IF NOT EXISTS cooties_player_carrier ON cooties_player (brand) WHERE carrier = 1;
CREATE INDEX IF NOT EXISTS cooties_player_from ON cooties_player (from_id) WHERE from_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS cooties_player_square ON cooties_player (brand, square, random_order, ts_caught, tags, caught)
WHERE carrier = 0 AND square IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS cooties_square_of_gone_position AFTER DELETE ON position BEGIN
  UPDATE cooties_player SET square = NULL WHERE profile_id = old.profile_id AND square IS NOT NULL;
END;
CREATE TABLE IF NOT EXISTS exposure_notice (
  id              TEXT    PRIMARY KEY,
  recipient_id    INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  brand           TEXT    NOT NULL,
  ts_due          INTEGER NOT NULL,
  ts_expires      INTEGER NOT NULL,
  sender_mac      TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS exposure_notice_due ON exposure_notice (ts_due);
CREATE INDEX IF NOT EXISTS exposure_notice_recipient ON exposure_notice (recipient_id);
CREATE TABLE IF NOT EXISTS exposure_recipient (
  recipient_id    INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  day             INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS exposure_recipient_day ON exposure_recipient (day);
CREATE TABLE IF NOT EXISTS exposure_salt (
  day             INTEGER PRIMARY KEY,
  salt            TEXT    NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS bucket_mark (
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  token           TEXT    NOT NULL,
  previous        TEXT    NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS message_database (
  number          INTEGER PRIMARY KEY CHECK (number > 0),
  bytes           INTEGER NOT NULL,
  ts_measured     INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS missed_announcement (
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  count           INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS mail_queue (
  id              INTEGER PRIMARY KEY,
  brand           TEXT    NOT NULL,
  sealed          TEXT    NOT NULL,
  attempts        INTEGER NOT NULL,
  ts_due          INTEGER NOT NULL,
  ts_expires      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS mail_queue_due ON mail_queue (ts_due);
CREATE INDEX IF NOT EXISTS mail_queue_expires ON mail_queue (ts_expires);
