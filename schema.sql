-- The whole schema: development, tests and new deployments load this file.
-- Times are integer milliseconds since 1970 UTC. Booleans are 0 or 1. Ids are integers.
-- Values listed in a CHECK are those of the corresponding union in packages/contract.

-- 1, 2, 4, ...: joined with a bit set it gives one row per set bit, so that nothing below lists brands. VALUES reads no rows.
CREATE VIEW IF NOT EXISTS bit AS
  SELECT 1 << column1 AS value FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30));

-- ---------------------------------------------------------------------------------------------- accounts

-- Who can log in. Each account has one profile with the same id.
CREATE TABLE IF NOT EXISTS account (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  email           TEXT    NOT NULL UNIQUE CHECK (email = lower(email)),
  name            TEXT    NOT NULL DEFAULT '',              -- real name, for mail and support; never shown to members
  password_hash   TEXT,                                     -- null: login links only
  home_brand      TEXT    NOT NULL,
  admin_brand     TEXT,                                     -- null: not an admin; a brand id: admin of that brand; '*': network admin
  locale          TEXT    NOT NULL DEFAULT 'en' CHECK (locale IN ('en', 'es')),
  ts_sharing_chosen INTEGER,                                -- null: has not been asked about sister brands yet
  email_pending   TEXT,
  preferences     TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(preferences)),
  acknowledgements TEXT   NOT NULL DEFAULT '',
  network         INTEGER,                                  -- 16 bits of a keyed hash of the network of the registration; deleted after a year
  ts_created      INTEGER NOT NULL,
  ts_deleted      INTEGER,                                  -- start of the grace period of 28 days
  is_test         INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
  lattice_seed    BLOB,                                     -- of an account that changed its email before lattices were stored
  mailbox         TEXT,                                     -- the email in canonical form: accounts of one mailbox share their own lattice
  lattices        BLOB,                                     -- encrypted displacements; null: from before they were stored, until the hourly job
  passkey_handle  TEXT,                                     -- by which devices know the owner of a passkey; null: as for lattices
  ts_exported     INTEGER                                   -- when the last download of the account's data began
) STRICT;
CREATE INDEX IF NOT EXISTS account_network ON account (ts_created) WHERE network IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_mailbox ON account (mailbox) WHERE mailbox IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_without_lattices ON account (id) WHERE lattices IS NULL;
CREATE INDEX IF NOT EXISTS account_without_handle ON account (id) WHERE passkey_handle IS NULL;
CREATE INDEX IF NOT EXISTS account_deleted ON account (ts_deleted) WHERE ts_deleted IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_admin ON account (admin_brand) WHERE admin_brand IS NOT NULL;
-- The few admin and deleted accounts: verifying a session reads no account row of other members.
CREATE INDEX IF NOT EXISTS account_special ON account (id, admin_brand, ts_deleted)
  WHERE admin_brand IS NOT NULL OR ts_deleted IS NOT NULL;

CREATE TABLE IF NOT EXISTS session (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash      BLOB    NOT NULL UNIQUE,                  -- SHA-256 of the cookie's 256 random bits
  account_id      INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  brand           TEXT    NOT NULL,
  device_label    TEXT    NOT NULL DEFAULT '',
  remember        INTEGER NOT NULL DEFAULT 0 CHECK (remember IN (0, 1)),
  ts_proved       INTEGER NOT NULL DEFAULT 0,               -- last proof of the owner: by password, mail or passkey
  ts_created      INTEGER NOT NULL,
  ts_last_used    INTEGER NOT NULL,
  ts_expires      INTEGER NOT NULL,
  lock_hash       TEXT,                                     -- hex SHA-256 of the secret that an unlocked device sends too; null: no app lock
  ts_push_removed INTEGER                                   -- when the member removed the device's push subscription, until it subscribes again
) STRICT;
CREATE INDEX IF NOT EXISTS session_account ON session (account_id);
CREATE INDEX IF NOT EXISTS session_expires ON session (ts_expires);

-- Public keys with which members log in; the private keys never leave their devices.
CREATE TABLE IF NOT EXISTS passkey (
  id              INTEGER PRIMARY KEY,
  account_id      INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  credential_id   TEXT    NOT NULL UNIQUE,                  -- base64url, chosen by the device
  public_key      BLOB    NOT NULL,                         -- COSE
  counter         INTEGER NOT NULL,                         -- the device's last signature counter; 0: the device does not count
  transports      TEXT    NOT NULL DEFAULT '',              -- how the device can be reached, comma-separated
  backed_up       INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
  brand           TEXT    NOT NULL,
  rp_id           TEXT    NOT NULL,                         -- the host to which browsers bind the key
  name            TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  ts_last_used    INTEGER,
  ts_cloned       INTEGER                                   -- its counter went back, so a copy exists: the key is no longer accepted
) STRICT;
CREATE INDEX IF NOT EXISTS passkey_account ON passkey (account_id);

-- One-time codes of login links and of email confirmations. Only hashes of the codes are stored.
CREATE TABLE IF NOT EXISTS login_code (
  code_hash       BLOB    PRIMARY KEY,
  purpose         TEXT    NOT NULL CHECK (purpose IN ('login', 'email')),
  email           TEXT    NOT NULL,
  account_id      INTEGER REFERENCES account (id) ON DELETE CASCADE,
  brand           TEXT    NOT NULL,
  locale          TEXT    NOT NULL DEFAULT 'en' CHECK (locale IN ('en', 'es')),
  acknowledgements TEXT   NOT NULL DEFAULT '',
  age_ticket_hash BLOB,                                     -- of the visitor's age proof, if one is required to register
  ts_expires      INTEGER NOT NULL,
  ticket_hash     BLOB,                                     -- of the ticket held by the requesting page; null: no six digits
  digits_hash     BLOB,                                     -- of ticket and digits together: without the ticket the digits cannot be guessed
  digits_tries    INTEGER NOT NULL DEFAULT 0,
  session_id      INTEGER REFERENCES session (id) ON DELETE CASCADE -- that requested a new address: ending it ends the change
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS login_code_ticket ON login_code (ticket_hash) WHERE ticket_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS login_code_email ON login_code (email);
CREATE INDEX IF NOT EXISTS login_code_expires ON login_code (ts_expires);
CREATE INDEX IF NOT EXISTS login_code_account ON login_code (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS login_code_session ON login_code (session_id) WHERE session_id IS NOT NULL;

-- A member's lock-down: until when every login is refused, and the recovery words that end it. The words are set before any lock-down
-- and can end only one.
CREATE TABLE IF NOT EXISTS lockdown (
  account_id      INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  ts_until        INTEGER NOT NULL DEFAULT 0,               -- 0: never locked down, or over
  words_hash      TEXT,                                     -- scrypt, like passwords
  ts_words        INTEGER                                   -- when they were set
) STRICT;
CREATE INDEX IF NOT EXISTS lockdown_over ON lockdown (ts_until) WHERE ts_until > 0;

-- What a device sends when its second PIN is entered, prepared in advance. The token itself exists only on the device, encrypted with that PIN.
CREATE TABLE IF NOT EXISTS lockdown_signal (
  id              INTEGER PRIMARY KEY,
  account_id      INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  token_hash      BLOB    NOT NULL UNIQUE,                  -- SHA-256 of 256 random bits
  hours           INTEGER NOT NULL CHECK (hours BETWEEN 1 AND 720),
  device_hash     BLOB,                                     -- SHA-256 of the random id in the device's cookie: one signal a device
  session_id      INTEGER,                                  -- the session that prepared it, which may have expired since
  device_label    TEXT    NOT NULL DEFAULT '',
  ts_created      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS lockdown_signal_account ON lockdown_signal (account_id, id);

-- That a member proved to be over 18, and how, without any data of the document. The hash is of the issuer's signature on the attestation
-- shown, so that it cannot prove another member's age; it is deleted with the account.
CREATE TABLE IF NOT EXISTS age_proof (
  account_id      INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  method          TEXT    NOT NULL CHECK (method IN ('eu-av', 'mdl', 'oidc')),
  day             INTEGER NOT NULL,                         -- days since 1970
  policy          TEXT    NOT NULL,                         -- version of the age policy that required it
  attestation_hash BLOB   NOT NULL UNIQUE
) STRICT;

-- Pending age proofs, kept for some minutes, and proofs of visitors who prove their age before registering, kept until the
-- account is created.
CREATE TABLE IF NOT EXISTS age_request (
  state_hash      BLOB    PRIMARY KEY,                      -- SHA-256 of the state in the wallet's callback URL
  account_id      INTEGER REFERENCES account (id) ON DELETE CASCADE,   -- null: a visitor's proof
  ticket_hash     BLOB,                                     -- SHA-256 of the visitor's cookie
  method          TEXT    NOT NULL CHECK (method IN ('eu-av', 'mdl', 'oidc')),
  brand           TEXT    NOT NULL,
  nonce           TEXT    NOT NULL,
  verifier        TEXT,                                     -- PKCE code verifier, for OpenID providers
  answered        INTEGER NOT NULL DEFAULT 0 CHECK (answered IN (0, 1)),   -- answered, successfully or not
  outcome         TEXT,
  attestation_hash BLOB   UNIQUE,                           -- for a visitor's proof
  ts_expires      INTEGER NOT NULL,
  CHECK ((account_id IS NULL) <> (ticket_hash IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS age_request_account ON age_request (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS age_request_ticket ON age_request (ticket_hash) WHERE ticket_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS age_request_expires ON age_request (ts_expires);

-- ---------------------------------------------------------------------------------------------- profiles

-- What other members may see. listed_on and few_on express half of the visibility rule as two numbers: the bits of the brands on
-- which everybody sees this member, and of those on which only the few to whom a discreet member showed themselves do. Blocks are the
-- other half (members/visibility).
CREATE TABLE IF NOT EXISTS profile (
  id              INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  profile_name    TEXT    NOT NULL DEFAULT '',
  name_skeleton   TEXT,                                     -- canonical form of lookalike names (packages/contract/src/names.ts); null: not computed yet
  birthdate       TEXT,                                     -- yyyy-mm-dd
  height          TEXT    NOT NULL DEFAULT '',
  weight          TEXT    NOT NULL DEFAULT '',
  description     TEXT    NOT NULL DEFAULT '' CHECK (length(description) <= 4000),
  characteristics INTEGER NOT NULL DEFAULT 0,               -- bit set of packages/contract/src/characteristics.ts
  -- Picture ids in the member's order. Searched as text, so only digits and commas are allowed between the brackets: D1 binds
  -- numbers as reals, and a list with 476.0 does not contain ',476,'.
  pics_public     TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(pics_public) AND json_type(pics_public) = 'array'
                  AND substr(pics_public, 2, length(pics_public) - 2) NOT GLOB '*[^0-9,]*'),
  pics_private    TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(pics_private) AND json_type(pics_private) = 'array'
                  AND substr(pics_private, 2, length(pics_private) - 2) NOT GLOB '*[^0-9,]*'),
  -- Both lists as their owner sees them while a picture is withheld from everybody else; null: the same lists.
  own_pics_public TEXT    CHECK (json_valid(own_pics_public) AND substr(own_pics_public, 2, length(own_pics_public) - 2) NOT GLOB '*[^0-9,]*'),
  own_pics_private TEXT   CHECK (json_valid(own_pics_private) AND substr(own_pics_private, 2, length(own_pics_private) - 2) NOT GLOB '*[^0-9,]*'),
  status          TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'banned', 'deleted')),
  ts_status_until INTEGER,                                  -- end of a suspension
  hidden          INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
  shared_on       INTEGER NOT NULL,                         -- bits of the brands that the member chose; 0 while discreet
  listed_on       INTEGER NOT NULL GENERATED ALWAYS AS
                  (CASE WHEN status = 'active' AND hidden = 0 AND profile_name <> '' AND birthdate IS NOT NULL
                  THEN shared_on ELSE 0 END) STORED,
  -- Bits of the brands that a discreet member chose, instead of shared_on, so that whatever does not know of it sees nobody.
  discreet_on     INTEGER NOT NULL DEFAULT 0 CHECK (discreet_on = 0 OR shared_on = 0),
  few_on          INTEGER NOT NULL GENERATED ALWAYS AS
                  (CASE WHEN status = 'active' AND hidden = 0 AND profile_name <> '' AND birthdate IS NOT NULL
                  THEN discreet_on ELSE 0 END) VIRTUAL,
  -- The member's own choice while staff restrict the account, which hides it; null: not restricted, and hidden is the member's choice.
  own_hidden      INTEGER CHECK (own_hidden IS NULL OR (own_hidden IN (0, 1) AND hidden = 1)),
  random_order    INTEGER NOT NULL,                         -- random, below 2^32: orders draws and members at equal distances without revealing id or position
  -- Bit set of what games can draw the member for: 1 a public picture, 2 several, 4 a text long enough to judge (BUSTER_TEXT_MIN_CHARS).
  drawn_as        INTEGER NOT NULL GENERATED ALWAYS AS ((pics_public <> '[]') + 2 * (instr(pics_public, ',') > 0)
                  + 4 * (length(description) >= 60)) VIRTUAL,
  credits         INTEGER NOT NULL DEFAULT 0,               -- sum of the member's credit ledger
  ts_seen         INTEGER NOT NULL,                         -- rounded to 15 minutes
  ts_updated      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS profile_skeleton ON profile (name_skeleton) WHERE name_skeleton <> '';
-- Names from before skeletons were stored; the schedule processes them.
CREATE INDEX IF NOT EXISTS profile_unjudged_name ON profile (id) WHERE name_skeleton IS NULL AND profile_name <> '';
CREATE INDEX IF NOT EXISTS profile_status ON profile (status, ts_status_until) WHERE status <> 'active';
-- Juries are drawn from the members after a random place.
CREATE INDEX IF NOT EXISTS profile_random_order ON profile (random_order) WHERE status = 'active';

-- Who is restricted and shows themselves is remembered as wishing so, and stays hidden.
CREATE TRIGGER IF NOT EXISTS profile_restricted BEFORE UPDATE OF hidden ON profile
WHEN new.hidden = 0 AND old.own_hidden IS NOT NULL AND new.own_hidden IS NOT NULL BEGIN
  UPDATE profile SET own_hidden = 0 WHERE id = old.id;
  SELECT RAISE(IGNORE);
END;

-- Members whom games can draw, in random order: a row for each brand that lists the member and each bit of drawn_as. A draw starts
-- at a random place and takes the next members, and pictures need no profile row. Maintained by the triggers below.
CREATE TABLE IF NOT EXISTS drawable_member (
  brand           INTEGER NOT NULL,                         -- brand bit
  drawn_as        INTEGER NOT NULL,                         -- one bit of profile.drawn_as
  random_order    INTEGER NOT NULL,
  profile_id      INTEGER NOT NULL,
  pics_public     TEXT    NOT NULL,                         -- if drawn_as is 1, else empty
  PRIMARY KEY (brand, drawn_as, random_order, profile_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS drawable_member_of_new_profile AFTER INSERT ON profile BEGIN
  INSERT INTO drawable_member SELECT brand.value, kind.value, new.random_order, new.id, iif(kind.value = 1, new.pics_public, '')
  FROM bit brand, bit kind
  WHERE new.listed_on & brand.value AND new.drawn_as & kind.value;
END;

-- Changes only rows that are added or removed.
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

-- ---------------------------------------------------------------------------------------------- positions

-- A member's position. cell is the cell of their own lattice in which others see them; without SITE_KEY nobody knows where
-- it is. Raw positions are never stored. key is the published position as its index on a Hilbert curve (52 bits).
CREATE TABLE IF NOT EXISTS position (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  use             TEXT    NOT NULL CHECK (use IN ('RANDOM', 'OVERRIDE', 'DEVICE_GPS')),
  precision       TEXT    NOT NULL CHECK (precision IN ('exact', 'street', 'district', 'city')),
  cell            INTEGER NOT NULL,                         -- published cell
  pending_cell    INTEGER,                                  -- reported during the publishing delay, not shown yet
  key             INTEGER NOT NULL,
  session         INTEGER NOT NULL DEFAULT 0,               -- number of the reporting device, visible only to the member
  ts_published    INTEGER NOT NULL,
  ts_effective_until INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS position_effective ON position (ts_effective_until);
CREATE INDEX IF NOT EXISTS position_pending ON position (ts_published) WHERE pending_cell IS NOT NULL;

-- The cells in which GPS placed a member on several days, so that a place always shows the same cell. Encrypted and padded to the
-- longest list (places/positions/place-memory.ts), so that a copy of the database reveals no history.
CREATE TABLE IF NOT EXISTS place_memory (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  sealed          BLOB    NOT NULL
) STRICT;

-- The search index of members by position: one row for each brand that lists the member, with all columns that a brief shows
-- and a search filters on, so that a found member costs one row read. Maintained only by the triggers below, so that no
-- statement of the application can forget it.
CREATE TABLE IF NOT EXISTS presence (
  brand           INTEGER NOT NULL,                         -- brand bit
  key             INTEGER NOT NULL,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  random_order         INTEGER NOT NULL,
  ts_effective_until INTEGER NOT NULL,
  ts_seen         INTEGER NOT NULL,
  characteristics INTEGER NOT NULL,
  birth_day       INTEGER,                                  -- birthdate in days since 1970
  profile_name    TEXT    NOT NULL,
  height          TEXT    NOT NULL,
  weight          TEXT    NOT NULL,
  pics_public     TEXT    NOT NULL,
  PRIMARY KEY (brand, key, profile_id)
) STRICT, WITHOUT ROWID;

-- The density of members along the curve, rebuilt every hour: about 8,000 members per row, from `key` on, as the gaps between
-- their squares of 109 m. It only tells a search which ranges to skip, never what to return (places/positions/density.ts).
CREATE TABLE IF NOT EXISTS presence_density (
  brand           INTEGER NOT NULL,                         -- brand bit
  key             INTEGER NOT NULL,
  key_end         INTEGER NOT NULL,
  squares         TEXT    NOT NULL,
  PRIMARY KEY (brand, key)
) STRICT, WITHOUT ROWID;

-- How many members each brand lists per square degree, so that counts read no members. The 1024 squares of 32 by 32 degrees share a
-- row, {"brand:square": count}: with a row per square a move would write two to six rows, and a count read thousands.
-- A count is the sum over all rows: a move between regions updates only the destination's row, and a nightly job reconciles them.
CREATE TABLE IF NOT EXISTS presence_count (
  region          INTEGER PRIMARY KEY,                      -- square >> 10
  squares         TEXT    NOT NULL CHECK (json_valid(squares))   -- square: key >> 34
) STRICT;

-- To move a member in the counts, insert their old and new position and brands (bit set); null: none. The trigger updates the
-- counts and discards the row. A table instead of a view, because a restore creates triggers before views.
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

-- The brands that list the member change with their status, hiding, sharing, name and birthdate.
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

-- The data shown in the member's brief changes.
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

-- Deletes the position before the profile, while the brands that count the member are still known.
CREATE TRIGGER IF NOT EXISTS presence_count_of_gone_profile BEFORE DELETE ON profile BEGIN
  DELETE FROM position WHERE profile_id = old.id;
END;

-- ---------------------------------------------------------------------------------------------- travel

-- A member's stay in a country that punishes, and what they chose there. At most one row, erased soon after they left.
CREATE TABLE IF NOT EXISTS travel_stay (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  country         TEXT    NOT NULL CHECK (country GLOB '[A-Z][A-Z]'),
  shown           TEXT    NOT NULL DEFAULT 'hidden' CHECK (shown IN ('hidden', 'city', 'usual')),
  hid_member      INTEGER NOT NULL CHECK (hid_member IN (0, 1)),   -- the stay hid the member, who is shown again when it ends
  pictures_withdrawn INTEGER NOT NULL DEFAULT 1 CHECK (pictures_withdrawn IN (0, 1)),   -- explicit pictures are hidden from others
  muted           INTEGER NOT NULL DEFAULT 1 CHECK (muted IN (0, 1)),   -- no push notifications
  chosen          INTEGER NOT NULL DEFAULT 0 CHECK (chosen IN (0, 1)),
  ts_seen         INTEGER NOT NULL,                         -- when the member was last seen there, rounded
  ts_left         INTEGER,                                  -- null: still there; otherwise the row only remains to notify the member that everything is restored
  seen_by_device  INTEGER NOT NULL DEFAULT 1 CHECK (seen_by_device IN (0, 1)), -- a device was there, so that no network ends the stay
  ts_elsewhere    INTEGER                                   -- since when the network has been elsewhere
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

-- Where a member will be, to the day. key is a published position at the coarsest precision.
CREATE TABLE IF NOT EXISTS trip (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  name            TEXT    NOT NULL CHECK (length(name) <= 80),   -- the member's own name for the place; shown to nobody else
  cell            INTEGER NOT NULL,
  key             INTEGER NOT NULL,
  country         TEXT,                                     -- if it punishes; otherwise null
  day_from        INTEGER NOT NULL,                         -- days since 1970
  day_to          INTEGER NOT NULL CHECK (day_to >= day_from),
  shown           INTEGER CHECK (shown IN (0, 1))           -- whether members there see it; null: not asked yet
) STRICT;
CREATE INDEX IF NOT EXISTS trip_profile ON trip (profile_id);
CREATE INDEX IF NOT EXISTS trip_shown ON trip (key) WHERE shown = 1;
CREATE INDEX IF NOT EXISTS trip_past ON trip (day_to);

-- ---------------------------------------------------------------------------------------------- pictures

CREATE TABLE IF NOT EXISTS picture (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  audience        TEXT    NOT NULL CHECK (audience IN ('public', 'private', 'chat', 'once')),
  version         INTEGER NOT NULL DEFAULT 1,               -- incremented with each replacement; part of the ETag and the R2 key
  width           INTEGER NOT NULL,
  height          INTEGER NOT NULL,
  bytes           INTEGER NOT NULL,
  placeholder     TEXT    NOT NULL DEFAULT '',              -- average color, shown until the picture is loaded
  preview         TEXT    NOT NULL DEFAULT '' CHECK (length(preview) <= 1000),   -- base64 of a WebP of PICTURE_PREVIEW_PX, shown blurred until then
  nsfw_owner      INTEGER NOT NULL DEFAULT 0 CHECK (nsfw_owner IN (0, 1)),
  nsfw_community  INTEGER NOT NULL DEFAULT 0 CHECK (nsfw_community IN (0, 1)),
  harmless_owner  INTEGER NOT NULL DEFAULT 0 CHECK (harmless_owner IN (0, 1)),   -- declared free of nudity: also shown unpixelated to viewers without an age proof
  -- 1: by an action of which its owner was notified; 2: held without its owner noticing, until staff review what it resembles;
  -- 3: not by staff: withdrawn while its owner is in a country that punishes
  hidden_by_staff INTEGER NOT NULL DEFAULT 0 CHECK (hidden_by_staff IN (0, 1, 2, 3)),
  wants_crop      INTEGER NOT NULL DEFAULT 0 CHECK (wants_crop IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  ts_updated      INTEGER NOT NULL,
  client_id       TEXT                                      -- generated by the device; makes uploading idempotent
) STRICT;
CREATE INDEX IF NOT EXISTS picture_profile ON picture (profile_id, audience);
CREATE UNIQUE INDEX IF NOT EXISTS picture_client ON picture (profile_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS picture_chat ON picture (ts_updated) WHERE audience = 'chat';

-- Withdraws a picture that is marked explicit, or restored by staff, while its owner's explicit pictures are withdrawn.
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

-- Removes withdrawn pictures from the lists that others read, and later restores them in place.
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

-- Perceptual hashes of stored pictures (platform/images/perceptual-hash.ts), to find copies of removed ones.
CREATE TABLE IF NOT EXISTS picture_hash (
  picture_id      INTEGER PRIMARY KEY REFERENCES picture (id) ON DELETE CASCADE,
  hash            TEXT    NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  quality         INTEGER NOT NULL CHECK (quality BETWEEN 0 AND 100),
  compared        INTEGER NOT NULL DEFAULT 0 CHECK (compared IN (0, 1)),  -- with the marks of bans
  sealed_print    BLOB                                      -- encrypted amplitudes (platform/images/picture-print.ts); null: stored before there were any
) STRICT;
CREATE INDEX IF NOT EXISTS picture_hash_fresh ON picture_hash (picture_id) WHERE compared = 0;

-- Hashes of pictures that may not be uploaded again, or that are on a list. They outlive the picture and its owner. An equal hash alone
-- makes a candidate: anybody can change a picture until its hash equals another's.
CREATE TABLE IF NOT EXISTS known_picture (
  id              INTEGER PRIMARY KEY,
  hash            TEXT    NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  source          TEXT    NOT NULL CHECK (source GLOB 'notice*' OR source GLOB 'staff*' OR source GLOB 'list:?*'),   -- who listed it, and why
  rule            TEXT    NOT NULL CHECK (rule IN ('minor', 'intimate')),
  searched        INTEGER NOT NULL DEFAULT 0 CHECK (searched IN (0, 1)),   -- stored pictures were searched for copies
  ts_created      INTEGER NOT NULL,
  sealed_print    BLOB,                                     -- the second measure; null: only a hash is known, as on lists
  UNIQUE (source, hash)
) STRICT;
CREATE INDEX IF NOT EXISTS known_picture_unsearched ON known_picture (id) WHERE searched = 0;

-- The 16 parts of each known hash, by position and 16-bit value: if two hashes differ in at most 31 bits, at least one part differs
-- in at most one bit, so that 16 times 17 lookups find every near copy. Maintained by the triggers below.
CREATE TABLE IF NOT EXISTS known_picture_part (
  part            INTEGER NOT NULL,                         -- position from the left << 16 | value
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

-- Uploads and stored pictures that resemble a known one. The schedule opens a case for each.
CREATE TABLE IF NOT EXISTS known_picture_match (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  picture_id      INTEGER NOT NULL,                         -- may be deleted since; a copy is kept under r2_key
  brand           TEXT    NOT NULL,
  source          TEXT    NOT NULL,                         -- source of the known picture
  rule            TEXT    NOT NULL CHECK (rule IN ('minor', 'intimate')),
  distance        INTEGER NOT NULL CHECK (distance BETWEEN 0 AND 256),
  r2_key          TEXT,                                     -- a copy made at upload; null: the stored picture itself
  report_id       INTEGER REFERENCES report (id) ON DELETE CASCADE,   -- null: no case opened yet
  ts_created      INTEGER NOT NULL,
  effect          TEXT    NOT NULL DEFAULT 'held' CHECK (effect IN ('refused', 'held', 'none')),   -- until staff decide
  digest          TEXT    NOT NULL DEFAULT ''               -- keyed hash of its bytes, by which a dismissed match exempts them
) STRICT;
CREATE INDEX IF NOT EXISTS known_picture_match_waiting ON known_picture_match (id) WHERE report_id IS NULL;
CREATE INDEX IF NOT EXISTS known_picture_match_report ON known_picture_match (report_id, picture_id) WHERE report_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS known_picture_match_profile ON known_picture_match (profile_id);
CREATE INDEX IF NOT EXISTS known_picture_match_picture ON known_picture_match (picture_id);

-- Pictures that staff found to be no copy of a known one: the same bytes of the same member never match again.
CREATE TABLE IF NOT EXISTS picture_exemption (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  digest          TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (profile_id, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS album_grant (
  owner_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  member_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  state           TEXT    NOT NULL CHECK (state IN ('requested', 'granted')),
  ts_expires      INTEGER,
  ts_created      INTEGER NOT NULL,
  was_requested   INTEGER NOT NULL DEFAULT 0 CHECK (was_requested IN (0, 1)),   -- whether the member requested it; kept when granted
  withheld        INTEGER NOT NULL DEFAULT 0 CHECK (withheld IN (0, 1)),   -- by a message that a word hid from the member: a grant to its owner, who is not told; none to the member
  PRIMARY KEY (owner_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS album_grant_member ON album_grant (member_id, owner_id);
CREATE INDEX IF NOT EXISTS album_grant_expires ON album_grant (ts_expires) WHERE ts_expires IS NOT NULL;

-- ---------------------------------------------------------------------------------------------- likes, notes, blocks

CREATE TABLE IF NOT EXISTS profile_like (
  liker_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  liked_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  like_type       TEXT    NOT NULL CHECK (like_type IN ('LIKE', 'DISLIKE', 'UNDETERMINED', 'ERROR')),
  ts_created      INTEGER NOT NULL,
  mutual          INTEGER NOT NULL DEFAULT 0 CHECK (mutual IN (0, 1)),   -- both like each other; maintained by the triggers below
  PRIMARY KEY (liker_id, liked_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS profile_like_given ON profile_like (liker_id, like_type, ts_created DESC, liked_id, mutual);
CREATE INDEX IF NOT EXISTS profile_like_received ON profile_like (liked_id, like_type, ts_created DESC, liker_id, mutual);

-- With `mutual`, a list of likes shows which are matches without reading the likes in the other direction.
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
  -- Upper bound of its size on disk (NOTE_ROW_BYTES): a longer note occupies an overflow page of 4 KB.
  bytes           INTEGER NOT NULL GENERATED ALWAYS AS (octet_length(body_text) + octet_length(private_tags) + 200
                    + iif(octet_length(body_text) + octet_length(private_tags) > 900, 4096, 0)) VIRTUAL,
  PRIMARY KEY (author_id, about_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS profile_note_about ON profile_note (about_id);
CREATE INDEX IF NOT EXISTS profile_note_latest ON profile_note (author_id, ts_updated DESC, about_id);
-- Whom the author starred (STAR_TAG), which is one of the private tags.
CREATE INDEX IF NOT EXISTS profile_note_starred ON profile_note (author_id, ts_updated DESC, about_id) WHERE instr(private_tags, '"★"');

-- The total bytes of a member's notes and stored pictures and recordings, which are limited. Maintained by triggers, so that no
-- statement can forget it.
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

-- A block is two rows, one from each member's view, so that a single point lookup tells whether two members are blocked.
-- Blocks by neither were made when one of them joined with an address that the other kept away, which is not possible any more.
CREATE TABLE IF NOT EXISTS block (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  other_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  blocked_by_profile INTEGER NOT NULL CHECK (blocked_by_profile IN (0, 1)),   -- profile_id blocked other_id
  blocked_by_other INTEGER NOT NULL CHECK (blocked_by_other IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (profile_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS block_other ON block (other_id);

-- What a member let others see or reach from a session without a fresh proof, for 30 days: whatever ends all sessions takes it back.
CREATE TABLE IF NOT EXISTS disclosure (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('unblocked', 'album', 'shown', 'open', 'shared', 'unhidden', 'stay', 'picture', 'voice', 'limits', 'health')),
  other_id        INTEGER REFERENCES profile (id) ON DELETE CASCADE,          -- null: everybody
  bit             INTEGER NOT NULL DEFAULT 0,                                 -- of the brand on which the member is shown since
  item_id         INTEGER NOT NULL DEFAULT 0,                                 -- of the picture or recording that was private
  former          TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(former)),   -- what was loosened: its values before the first such act
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS disclosure_once ON disclosure (profile_id, kind, ifnull(other_id, 0), bit, item_id);
CREATE INDEX IF NOT EXISTS disclosure_other ON disclosure (other_id) WHERE other_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS disclosure_created ON disclosure (ts_created);

-- To whom discreet members showed themselves, so that a search finds them without reading everybody's likes and messages. It only
-- names candidates: the visibility rule decides.
CREATE TABLE IF NOT EXISTS shown_to (
  id              INTEGER PRIMARY KEY,
  viewer_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  UNIQUE (profile_id, viewer_id)
) STRICT;
CREATE INDEX IF NOT EXISTS shown_to_viewer ON shown_to (viewer_id, id, profile_id);

-- What members share about their health, with an audience per field. No row: nothing is shared.
CREATE TABLE IF NOT EXISTS health_panel (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  hiv_status      TEXT    CHECK (hiv_status IN ('negative', 'positive', 'undetectable')),
  prep            TEXT    CHECK (prep IN ('daily', 'on-demand', 'injection', 'no')),
  doxy_pep        TEXT    CHECK (doxy_pep IN ('yes', 'no')),
  vaccines        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(vaccines)),
  last_test       TEXT,                                     -- yyyy-mm-dd
  audiences       TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(audiences)),   -- field: audience; absent: nobody
  reminder_months INTEGER NOT NULL DEFAULT 0 CHECK (reminder_months IN (0, 3, 6, 12)),
  ts_reminder     INTEGER                                   -- when the next reminder is due
) STRICT;
CREATE INDEX IF NOT EXISTS health_panel_reminder ON health_panel (ts_reminder) WHERE ts_reminder IS NOT NULL;

-- ---------------------------------------------------------------------------------------------- messages

-- message databases: begin
-- The main database and each message database have these tables, which reference no others. All messages of a pair are in one database.

-- What was closed or ended: the hourly job moves the rows to the backup bucket, and a restore to an earlier time does it again.
-- Maintained by triggers, so that no statement can forget it. No row of a profile that is being erased: the erasure is one itself.
CREATE TABLE IF NOT EXISTS protective_act (
  id              INTEGER PRIMARY KEY,                      -- without AUTOINCREMENT, which reads a row for each such table; ids come again
  kind            TEXT    NOT NULL,                         -- of PROTECTIVE_ACTS in packages/contract/src/backup.ts
  member          INTEGER NOT NULL,                         -- id of an account; 0: of nobody
  other           INTEGER NOT NULL DEFAULT 0,               -- id of what it is about
  detail          TEXT    CHECK (detail IS NULL OR json_valid(detail)),   -- the state since then
  ts              INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;

CREATE TABLE IF NOT EXISTS message (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id       INTEGER NOT NULL,
  recipient_id    INTEGER,                                  -- null for a broadcast
  low_id          INTEGER,                                  -- the pair, lower id first; null for a broadcast
  high_id         INTEGER,
  client_id       TEXT    NOT NULL,                         -- generated by the sender; makes sending idempotent
  body_text       TEXT    NOT NULL DEFAULT '' CHECK (length(body_text) <= 4000),
  picture_ids     TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(picture_ids) AND json_type(picture_ids) = 'array'
                  AND substr(picture_ids, 2, length(picture_ids) - 2) NOT GLOB '*[^0-9,]*'),
  attachment      TEXT    CHECK (attachment IS NULL OR json_valid(attachment)),  -- a position, an album grant, or something that opens once
  brand           TEXT    NOT NULL,
  sector          INTEGER,                                  -- square degree of a broadcast, (lat + 90) * 360 + (lon + 180)
  flagged         INTEGER NOT NULL DEFAULT 0 CHECK (flagged IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  ts_delivered    INTEGER,
  ts_recipient_read INTEGER,
  ts_recipient_deleted INTEGER,
  ts_sender_deleted INTEGER,
  ts_unsent       INTEGER,
  filtered        INTEGER NOT NULL DEFAULT 0 CHECK (filtered IN (0, 1)),     -- hidden from its recipient by an unwanted word; its sender is not told
  unsend_due      INTEGER NOT NULL DEFAULT 0 CHECK (unsend_due IN (0, 1)),   -- unsent while its recipient could not see its sender
  reply_to        INTEGER,                                  -- the message of the same pair that this one answers
  reaction        TEXT    CHECK (instr(',heart,fire,laugh,wow,sad,thumb,', ',' || reaction || ',') > 0),   -- of the recipient
  upload_id       INTEGER,                                  -- the upload that only this message carries, if its attachment does not contain it
  unsynced_version INTEGER,                                 -- the version of the pair in which this message's uploads changed, until the main database has it
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

CREATE TRIGGER IF NOT EXISTS act_of_unsent_message AFTER UPDATE OF ts_unsent, unsend_due ON message
WHEN (new.ts_unsent IS NOT NULL OR new.unsend_due = 1) AND old.ts_unsent IS NULL AND old.unsend_due = 0 BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('unsent', new.sender_id, new.id, new.unsend_due);
END;

-- How often each of two members wrote to the other, so that everything but the conversation screens need not read messages. Includes
-- deleted messages, and counts up to UNANSWERED_MESSAGES_MAX.
CREATE TABLE IF NOT EXISTS message_pair (
  low_id          INTEGER NOT NULL,
  high_id         INTEGER NOT NULL,
  low_count       INTEGER NOT NULL DEFAULT 0,
  high_count      INTEGER NOT NULL DEFAULT 0,
  shard           INTEGER NOT NULL DEFAULT 0,               -- main database only: the shard of the pair's messages; 0 is the main database
  version         INTEGER NOT NULL DEFAULT 0,               -- incremented by each change in a message database; in the main database, the version of its copy
  synced_version  INTEGER NOT NULL DEFAULT 0,               -- message databases only: the version that the main database has
  unsent_by       INTEGER NOT NULL DEFAULT 0 CHECK (unsent_by BETWEEN 0 AND 3),   -- bit 1: everything that the low member wrote was unsent; bit 2: the high one
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
  SET low_count = min(5, low_count + excluded.low_count), high_count = min(5, high_count + excluded.high_count),
    unsent_by = unsent_by & ~(excluded.low_count + 2 * excluded.high_count)
  WHERE CASE WHEN excluded.low_count THEN low_count ELSE high_count END < 5
    OR unsent_by & (excluded.low_count + 2 * excluded.high_count);
END;

-- The latest message of each pair as one of the two members sees it, and the number of unread ones.
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

-- The map chat keeps the newest 50 posts of each member on a brand; older ones end as if unsent. A page passes over all posts of members out
-- of its reader's sight, so this bounds what they cost the reader without a page's end telling of them.
CREATE INDEX IF NOT EXISTS message_post ON message (sender_id, brand, id) WHERE sector IS NOT NULL AND ts_unsent IS NULL;
CREATE TRIGGER IF NOT EXISTS message_of_older_post AFTER INSERT ON message WHEN new.sector IS NOT NULL BEGIN
  UPDATE message SET ts_unsent = new.ts_created, body_text = '', picture_ids = '[]', attachment = NULL
  WHERE id = (SELECT m.id FROM message m WHERE m.sender_id = new.sender_id AND m.brand = new.brand AND m.sector IS NOT NULL
    AND m.ts_unsent IS NULL ORDER BY m.id DESC LIMIT 1 OFFSET 50);
END;

CREATE TRIGGER IF NOT EXISTS messages_of_gone_profile AFTER DELETE ON profile BEGIN
  DELETE FROM message WHERE sender_id = old.id;
  DELETE FROM message WHERE recipient_id = old.id;
  DELETE FROM conversation WHERE profile_id = old.id;
  DELETE FROM conversation WHERE other_id = old.id;
  DELETE FROM message_pair WHERE low_id = old.id;
  DELETE FROM message_pair WHERE high_id = old.id;
END;

-- How far the schedule has looked through the pairs of each database whose unsent messages wait until their recipients see the sender. No row: it
-- begins anew.
CREATE TABLE IF NOT EXISTS unsend_cursor (
  number          INTEGER PRIMARY KEY,
  sender_id       INTEGER NOT NULL,
  recipient_id    INTEGER NOT NULL
) STRICT;

-- Which pictures were sent to whom, which lets the reader open them with one point lookup. Maintained by triggers, so that no
-- statement can forget it. Only the sender's own pictures count, whatever ids a message contains.
CREATE TABLE IF NOT EXISTS message_picture (
  picture_id      INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  reader_id       INTEGER NOT NULL,                         -- the recipient; the sender if the recipient deleted the message or never saw it; 0: the readers of a broadcast
  message_id      INTEGER NOT NULL,                         -- in any database
  PRIMARY KEY (picture_id, reader_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS message_picture_message ON message_picture (message_id);

CREATE TRIGGER IF NOT EXISTS message_picture_of_sent_message AFTER INSERT ON message WHEN new.picture_ids <> '[]' BEGIN
  INSERT INTO message_picture
  SELECT DISTINCT pic.id, iif(new.filtered, new.sender_id, ifnull(new.recipient_id, 0)), new.id
  FROM json_each(new.picture_ids) sent JOIN picture pic ON pic.id = sent.value AND pic.profile_id = new.sender_id;
END;

-- If only the recipient deletes a message, its pictures stay for the sender: the nightly garbage collection deletes pictures without
-- a message, and a picture missing in the sender's history would reveal the deletion.
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

-- Voice messages. Each belongs to one message to one member; its bytes are deleted with the row.
CREATE TABLE IF NOT EXISTS voice (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  client_id       TEXT    NOT NULL,                         -- generated by the sender; makes uploading idempotent
  r2_key          TEXT    NOT NULL UNIQUE,
  mime            TEXT    NOT NULL CHECK (mime IN ('audio/mp4', 'audio/webm')),
  bytes           INTEGER NOT NULL,
  duration_ms     INTEGER NOT NULL,
  peaks           TEXT    NOT NULL CHECK (json_valid(peaks)),   -- loudness over time, 0 to 100
  once            INTEGER NOT NULL DEFAULT 0 CHECK (once IN (0, 1)),
  message_id      INTEGER UNIQUE,                           -- no foreign key: the bytes must still be deleted after the message
  ts_created      INTEGER NOT NULL,
  ts_due          INTEGER,                                  -- when the bytes are deleted: after a day without being sent, or 0: in the next run
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
-- If only one member deletes the message, the recording stays for the other.
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

-- The voice introduction of a profile, one per member, for viewers of the profile or only for those with access to the private album.
CREATE TABLE IF NOT EXISTS profile_voice (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  id              INTEGER NOT NULL UNIQUE,                  -- random for each recording, so that a report refers to one recording and not a later one
  audience        TEXT    NOT NULL CHECK (audience IN ('public', 'private')),
  r2_key          TEXT    NOT NULL UNIQUE,
  mime            TEXT    NOT NULL CHECK (mime IN ('audio/mp4', 'audio/webm')),
  bytes           INTEGER NOT NULL,
  duration_ms     INTEGER NOT NULL,
  peaks           TEXT    NOT NULL CHECK (json_valid(peaks)),   -- loudness over time, 0 to 100
  removed         INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1, 2)),   -- 1: removed by a decision; 2: bytes deleted too
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

-- Who is out tonight. Deleted when it ends; while a member hides or is in a country that punishes, it is shown to nobody.
CREATE TABLE IF NOT EXISTS tonight (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  wishes          INTEGER NOT NULL CHECK (wishes BETWEEN 1 AND 31),   -- bit set of TONIGHT_WISHES
  ts_until        INTEGER NOT NULL                          -- rounded, so that it does not tell when it was set
) STRICT;
CREATE INDEX IF NOT EXISTS tonight_until ON tonight (ts_until);

-- Who privately said of whom that the pictures are real. Its author alone reads it; it counts once both said it of each other.
CREATE TABLE IF NOT EXISTS met (
  author_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  about_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  pictures        TEXT    NOT NULL CHECK (json_valid(pictures)),   -- the public pictures it was said of, each as "id.version"
  ts_said         INTEGER NOT NULL,                         -- rounded down to the day
  PRIMARY KEY (about_id, author_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS met_author ON met (author_id, about_id);

-- By how many members a member was met, as last counted. The row in which both ids are the member's is for everybody; somebody who is
-- counted has another row if the number would be another one without that word, so that nobody sees what saying it changes.
CREATE TABLE IF NOT EXISTS met_shown (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  viewer_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  shown           INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 3, 5, 10)),
  picture         TEXT,                                     -- the first public picture then; with another one nothing is shown
  ts_next         INTEGER,                                  -- the next count, on a random day of the member's; null for a single viewer
  PRIMARY KEY (profile_id, viewer_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS met_shown_viewer ON met_shown (viewer_id);
CREATE INDEX IF NOT EXISTS met_shown_due ON met_shown (ts_next) WHERE ts_next IS NOT NULL;

-- Pictures and voice messages that open once and are shown nowhere else; the row is deleted with the bytes. Without a message until sent.
CREATE TABLE IF NOT EXISTS once_view (
  id              INTEGER PRIMARY KEY,
  picture_id      INTEGER UNIQUE REFERENCES picture (id) ON DELETE CASCADE,
  voice_id        INTEGER UNIQUE REFERENCES voice (id) ON DELETE CASCADE,
  message_id      INTEGER UNIQUE,                           -- no foreign key: the bytes must still be deleted after the message
  sender_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  reader_id       INTEGER,
  ts_due          INTEGER NOT NULL,                         -- when the bytes are deleted at the latest; 0: in the next run
  ts_opened       INTEGER,                                  -- when the bytes had arrived
  session_id      INTEGER,                                  -- the device that is opening it, and that device's token for this opening:
  open_token      TEXT,                                     -- with both, an interrupted download can be repeated
  ts_tried        INTEGER,                                  -- when that device last began; for a minute no other may
  tries           INTEGER NOT NULL DEFAULT 0,
  CHECK ((picture_id IS NULL) <> (voice_id IS NULL))
) STRICT;
CREATE INDEX IF NOT EXISTS once_view_due ON once_view (ts_due);
CREATE INDEX IF NOT EXISTS once_view_pair ON once_view (sender_id, reader_id);

-- Unsent, deleted by its reader or deleted with an account: it no longer opens, and the bytes are deleted.
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
-- Its reader blocked the sender; an open one can still be reported. What a sender sent before blocking its reader stays closed meanwhile: gone,
-- it would tell the reader afterward that it was no hiding.
CREATE TRIGGER IF NOT EXISTS once_view_of_blocked AFTER INSERT ON block WHEN new.blocked_by_profile = 1 BEGIN
  UPDATE once_view SET ts_due = 0 WHERE sender_id = new.other_id AND reader_id = new.profile_id AND ts_opened IS NULL;
END;

CREATE TRIGGER IF NOT EXISTS once_view_of_second_block AFTER UPDATE OF blocked_by_profile ON block
WHEN new.blocked_by_profile = 1 AND old.blocked_by_profile = 0 BEGIN
  UPDATE once_view SET ts_due = 0 WHERE sender_id = new.other_id AND reader_id = new.profile_id AND ts_opened IS NULL;
END;

-- Members who declined unsolicited pictures of a sender. After a few of them, the sender has to ask first.
CREATE TABLE IF NOT EXISTS picture_decline (
  sender_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  decliner_id     INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  broadcast       INTEGER NOT NULL CHECK (broadcast IN (0, 1)),   -- declined in the map chat
  ts_sent         INTEGER NOT NULL,                         -- of the latest message declined, so that declining one again changes nothing
  PRIMARY KEY (sender_id, broadcast, decliner_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS picture_decline_old ON picture_decline (ts_sent);
CREATE INDEX IF NOT EXISTS picture_decline_decliner ON picture_decline (decliner_id, sender_id);

-- ---------------------------------------------------------------------------------------------- notifications

CREATE TABLE IF NOT EXISTS notification (
  id              INTEGER PRIMARY KEY,                      -- made from the time (social/notifications/notify.ts)
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL,
  about_id        INTEGER REFERENCES profile (id) ON DELETE CASCADE,   -- the member it is about; blocks and visibility apply
  body_text       TEXT    NOT NULL,                         -- in English
  url             TEXT,
  brand           TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  body_es         TEXT                                      -- null: from before it was stored, in the language of then
) STRICT;
CREATE INDEX IF NOT EXISTS notification_profile ON notification (profile_id, id DESC);
CREATE INDEX IF NOT EXISTS notification_created ON notification (ts_created);
CREATE INDEX IF NOT EXISTS notification_about ON notification (about_id, profile_id) WHERE about_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS push_subscription (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  session_id      INTEGER REFERENCES session (id) ON DELETE CASCADE,   -- logging out ends the device's subscription
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

-- ---------------------------------------------------------------------------------------------- contact and support

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

-- ---------------------------------------------------------------------------------------------- reports and moderation

-- A case against one member. Further reports about the same thing are added to it as filings.
-- case_ref is the random name of the case in the public audit chain.
CREATE TABLE IF NOT EXISTS report (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  case_ref        TEXT    NOT NULL UNIQUE,
  brand           TEXT    NOT NULL,
  subject_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  source          TEXT    NOT NULL CHECK (source IN ('profile', 'message', 'picture', 'broadcast')),
  source_id       INTEGER NOT NULL,                         -- profile, message or picture id
  category        TEXT    NOT NULL CHECK (category IN ('harassment', 'hate', 'spam', 'scam', 'impersonation', 'bot',
                    'explicit', 'behaviour', 'other', 'minor', 'threat', 'intimate')),
  severity        INTEGER NOT NULL,
  staff_only      INTEGER NOT NULL DEFAULT 0 CHECK (staff_only IN (0, 1)),   -- its rule is not judged by juries
  -- why staff handle it (contract: StaffReason)
  staff_reason    TEXT    CHECK (staff_reason IN ('rule', 'private', 'record', 'cleared', 'few', 'recent', 'contact', 'alike', 'joined', 'withdrawn', 'undecided', 'recommended', 'found')),
  credibility     REAL    NOT NULL DEFAULT 0,
  priority        REAL    NOT NULL DEFAULT 0,               -- severity weighted with credibility; orders the queue
  filings         INTEGER NOT NULL DEFAULT 0,
  state           TEXT    NOT NULL CHECK (state IN ('staff', 'jury', 'decided')),
  outcome         TEXT    CHECK (outcome IN ('none', 'warn', 'hide_picture', 'suspend', 'ban')),
  ts_created      INTEGER NOT NULL,
  ts_decided      INTEGER
) STRICT;
-- At most one open case against a member per brand, and one more for rules judged only by staff; further reports are added to it.
CREATE UNIQUE INDEX IF NOT EXISTS report_open ON report (subject_id, brand, staff_only) WHERE state <> 'decided';
CREATE INDEX IF NOT EXISTS report_queue ON report (brand, state, priority DESC, ts_created);
CREATE INDEX IF NOT EXISTS report_network_queue ON report (state, priority DESC, ts_created);
CREATE INDEX IF NOT EXISTS report_settled ON report (ts_decided) WHERE state = 'decided';
CREATE INDEX IF NOT EXISTS report_decided ON report (brand, ts_decided) WHERE state = 'decided';
CREATE INDEX IF NOT EXISTS report_subject ON report (subject_id, ts_created);

-- One member's report within a case; reporter_id is null if no member filed it (see filer), and is never shown to anybody.
-- Random, and the case's own id for its first filing: reporters who compare theirs must not learn that they reported the same member.
CREATE TABLE IF NOT EXISTS report_filing (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  reporter_id     INTEGER REFERENCES profile (id) ON DELETE CASCADE,
  category        TEXT    NOT NULL,                         -- the reporter's latest choice; the case keeps that of the first report
  source          TEXT    NOT NULL CHECK (source IN ('profile', 'message', 'picture', 'broadcast')),
  text            TEXT    NOT NULL CHECK (length(text) <= 4000),
  credibility     REAL    NOT NULL,
  filer           TEXT    NOT NULL DEFAULT 'member' CHECK (filer IN ('member', 'game', 'staff', 'clock', 'visitor')),   -- clock: the site itself filed it
  ts_created      INTEGER NOT NULL,
  receipt         TEXT,                                     -- random, published with the decision; null: that of the case's first entry
  UNIQUE (report_id, reporter_id)
) STRICT;
CREATE INDEX IF NOT EXISTS report_filing_reporter ON report_filing (reporter_id) WHERE reporter_id IS NOT NULL;

-- Reported content as it was at the time of the report. A picture's bytes are copied to R2 under r2_key.
CREATE TABLE IF NOT EXISTS evidence (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  author_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('profile', 'message', 'picture', 'voice')),
  source_id       INTEGER NOT NULL,
  version         TEXT    NOT NULL DEFAULT '',              -- of the source, which its owner may replace between two reports
  body            TEXT    NOT NULL CHECK (json_valid(body)),
  r2_key          TEXT,
  staff_only      INTEGER NOT NULL DEFAULT 0 CHECK (staff_only IN (0, 1)),   -- a picture or recording that was not public; jurors do not get it
  ts_source       INTEGER NOT NULL,
  withdrawn       INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)),    -- a message of a message database that was unsent or deleted with its account
  UNIQUE (report_id, kind, source_id, version)
) STRICT;
CREATE INDEX IF NOT EXISTS evidence_message ON evidence (source_id) WHERE kind = 'message';
CREATE INDEX IF NOT EXISTS evidence_object ON evidence (r2_key) WHERE r2_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS evidence_author ON evidence (author_id);

-- Who reported which evidence, so that a case with more than its readers get shows something of each reporter's.
CREATE TABLE IF NOT EXISTS evidence_filer (
  evidence_id     INTEGER NOT NULL REFERENCES evidence (id) ON DELETE CASCADE,
  reporter_id     INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  PRIMARY KEY (evidence_id, reporter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS evidence_filer_reporter ON evidence_filer (reporter_id);

CREATE TABLE IF NOT EXISTS jury (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  round           INTEGER NOT NULL CHECK (round BETWEEN 1 AND 3),
  state           TEXT    NOT NULL CHECK (state IN ('open', 'decided')),
  verdict         TEXT    CHECK (verdict IN ('violation', 'no_violation')),
  sanction        TEXT    CHECK (sanction IN ('warn', 'hide_picture', 'suspend_3', 'suspend_7', 'suspend_30')),
  pool            INTEGER NOT NULL DEFAULT 0,               -- approximate number of members who could have been drawn
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

-- A member's record as a juror; not drawn after opting out or being overturned often.
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

-- Marks that a ban leaves for a year, under keys that are not in the database: the email, the account as known to its devices, and
-- its public pictures' hashes. They reference no account, so that they outlive the banned one.
CREATE TABLE IF NOT EXISTS ban_mark (
  id              INTEGER PRIMARY KEY,
  kind            TEXT    NOT NULL CHECK (kind IN ('address', 'device', 'picture')),
  mark            TEXT    NOT NULL,                         -- a keyed hash; for a picture its encrypted perceptual hash
  case_ref        TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  rule            TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  ts_until        INTEGER NOT NULL,
  sealed_print    BLOB                                      -- of a picture, its encrypted amplitudes
) STRICT;
CREATE INDEX IF NOT EXISTS ban_mark_of ON ban_mark (kind, mark);
CREATE INDEX IF NOT EXISTS ban_mark_case ON ban_mark (case_ref);
CREATE INDEX IF NOT EXISTS ban_mark_until ON ban_mark (ts_until);

-- New accounts that may belong to a banned member. The schedule opens a case for staff for each.
CREATE TABLE IF NOT EXISTS ban_match (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('device', 'picture')),
  case_ref        TEXT    NOT NULL,                         -- case of the ban
  rule            TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  picture_id      INTEGER,
  distance        INTEGER,
  report_id       INTEGER REFERENCES report (id) ON DELETE CASCADE,   -- null: no case opened yet
  ts_created      INTEGER NOT NULL,
  UNIQUE (profile_id, case_ref, kind)
) STRICT;
CREATE INDEX IF NOT EXISTS ban_match_waiting ON ban_match (id) WHERE report_id IS NULL;
CREATE INDEX IF NOT EXISTS ban_match_report ON ban_match (report_id) WHERE report_id IS NOT NULL;

-- Each side may appeal once; the next jury has none of the earlier jurors. jury_id is null if staff decide the appeal.
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

-- Decided cases for later jurors to read, without names and pictures.
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

-- ---------------------------------------------------------------------------------------------- notices from anybody

-- Requests by anybody, even without an account, to remove a picture of them or illegal content. The contact data, texts and sender
-- hashes are erased some months after the decision (NOTICE_CONTACT_RETENTION_MS); an uploaded picture is never stored.
CREATE TABLE IF NOT EXISTS notice (
  id              INTEGER PRIMARY KEY,
  ref             TEXT    NOT NULL UNIQUE,                  -- number on the receipt; a part for another brand adds its number
  case_ref        TEXT    NOT NULL UNIQUE,                  -- its name in the audit log
  brand           TEXT    NOT NULL,                         -- the brand whose staff decide
  kind            TEXT    NOT NULL CHECK (kind IN ('intimate', 'illegal')),
  category        TEXT    NOT NULL,                         -- one of the site's rules
  role            TEXT    CHECK (role IN ('shown', 'authorised')),
  locale          TEXT    NOT NULL CHECK (locale IN ('en', 'es')),
  name            TEXT    NOT NULL DEFAULT '',              -- the signature
  email           TEXT    NOT NULL DEFAULT '',              -- '': anonymous, or erased
  contact         TEXT    NOT NULL DEFAULT '',
  location        TEXT    NOT NULL DEFAULT '' CHECK (length(location) <= 2000),
  explanation     TEXT    NOT NULL DEFAULT '' CHECK (length(explanation) <= 4000),
  upload_hash     TEXT,                                     -- perceptual hash of the uploaded picture, which itself is not stored
  sender_network  BLOB,                                     -- keyed hashes, to count how much one sender has hidden
  sender_mailbox  BLOB,
  anonymous       INTEGER NOT NULL DEFAULT 0 CHECK (anonymous IN (0, 1)),
  state           TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'asked', 'removed', 'rejected', 'forwarded')),
  reason          TEXT    NOT NULL DEFAULT '' CHECK (length(reason) <= 4000),   -- reason of the decision, shown to both sides
  unfounded       INTEGER NOT NULL DEFAULT 0 CHECK (unfounded IN (0, 1)),   -- found false: this sender hides no more pictures immediately, for a while
  report_id       INTEGER REFERENCES report (id) ON DELETE SET NULL,   -- the resulting case
  decided_by      INTEGER REFERENCES account (id) ON DELETE SET NULL,
  ts_created      INTEGER NOT NULL,
  ts_confirmed    INTEGER,                                  -- the link in the mail was opened
  ts_disowned     INTEGER,                                  -- instead, the address's owner said that they did not file it
  ts_matched      INTEGER,                                  -- matching pictures were searched
  ts_staff_alerted INTEGER,                                 -- staff were alerted
  ts_decided      INTEGER,
  ts_notified     INTEGER,                                  -- the notifier was told the outcome of the resulting case
  ts_erased       INTEGER,
  upload_print    BLOB                                      -- and its encrypted amplitudes
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

-- Questions of staff and replies of the notifier.
CREATE TABLE IF NOT EXISTS notice_message (
  id              INTEGER PRIMARY KEY,
  notice_id       INTEGER NOT NULL REFERENCES notice (id) ON DELETE CASCADE,
  by_staff        INTEGER NOT NULL CHECK (by_staff IN (0, 1)),
  text            TEXT    NOT NULL CHECK (length(text) <= 4000),
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS notice_message_notice ON notice_message (notice_id, id);

-- The pictures that a notice is about, all of one brand. Those hidden or removed are withheld from everybody; their owner sees them pixelated.
CREATE TABLE IF NOT EXISTS notice_picture (
  notice_id       INTEGER NOT NULL REFERENCES notice (id) ON DELETE CASCADE,
  picture_id      INTEGER NOT NULL,                         -- may be deleted since
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  version         INTEGER NOT NULL,
  state           TEXT    NOT NULL CHECK (state IN ('named', 'hidden', 'removed', 'cleared', 'deleted')),
  hidden_immediately INTEGER NOT NULL DEFAULT 0 CHECK (hidden_immediately IN (0, 1)),   -- hidden immediately, before a staff decision
  hash            TEXT,                                     -- perceptual hash when it was withheld
  was_public      INTEGER NOT NULL DEFAULT 1 CHECK (was_public IN (0, 1)),   -- 0: only a copy that came with the notice attached it
  ts_created      INTEGER NOT NULL,
  ts_viewed       INTEGER,                                  -- staff first looked at it, or kept a copy, though it was not public
  ts_view_told    INTEGER,                                  -- its owner was told so
  alike           INTEGER NOT NULL DEFAULT 0 CHECK (alike IN (0, 1)),   -- the notice does not name it: it looks like one that it names
  sealed_print    BLOB,                                     -- encrypted amplitudes when it was attached
  PRIMARY KEY (notice_id, picture_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS notice_picture_withheld ON notice_picture (picture_id) WHERE state IN ('hidden', 'removed');
CREATE INDEX IF NOT EXISTS notice_picture_picture ON notice_picture (picture_id, state);
CREATE INDEX IF NOT EXISTS notice_picture_profile ON notice_picture (profile_id, notice_id);
CREATE INDEX IF NOT EXISTS notice_picture_viewed ON notice_picture (ts_viewed) WHERE ts_viewed IS NOT NULL AND ts_view_told IS NULL;

-- The owner's single objection to a notice about their pictures.
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

-- The audit log: each entry's hash covers the previous one, so that nothing can be changed. body contains no personal data and is
-- published when the case is decided (public_entry). Who did it to whom is in audit_private, to which body commits with a salted hash;
-- that part is deleted with the member, while the chain stays.
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

-- The public chain: entries of audit_entry whose case is decided, renumbered and rechained so that gaps do not reveal open
-- cases. entry_seq is null for entries without an audit_entry.
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

-- The share of explicit pictures among those visible to others, counted every night because laws require it. Countries with fewer
-- than EXPLICIT_SHARE_OWNERS_MIN members are combined under ''.
CREATE TABLE IF NOT EXISTS explicit_share (
  brand           TEXT    NOT NULL,
  country         TEXT    NOT NULL,                         -- ISO 3166; in the United States including the state
  pictures        INTEGER NOT NULL,
  explicit        INTEGER NOT NULL,
  ts_counted      INTEGER NOT NULL,
  PRIMARY KEY (brand, country)
) STRICT, WITHOUT ROWID;

-- Members per brand, maintained by triggers so that the dashboard reads one row.
CREATE TABLE IF NOT EXISTS member_count (
  brand           INTEGER PRIMARY KEY,                      -- brand bit
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

-- ---------------------------------------------------------------------------------------------- legal holds

-- Copies of cases that the law requires to be kept, independent of the case and its subject: there are no foreign keys to other tables
-- and no member ids. The objects in R2 are encrypted with HOLD_KEY (moderation/hold/seal.ts).
CREATE TABLE IF NOT EXISTS legal_hold (
  hold_ref        TEXT    PRIMARY KEY,                      -- random; the prefix of its objects, and its name in the audit log
  report_id       INTEGER NOT NULL UNIQUE,
  case_ref        TEXT    NOT NULL,
  brand           TEXT    NOT NULL,
  rule            TEXT    NOT NULL,
  reason          TEXT    NOT NULL CHECK (length(reason) <= 4000),
  confirmed       INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),   -- by staff or an authority; otherwise the hold is deleted when the case is dismissed
  key_version     INTEGER NOT NULL,                         -- index of the key in HOLD_KEY
  salt            TEXT    NOT NULL,                         -- for deriving its own keys
  extensions      INTEGER NOT NULL DEFAULT 0,               -- how often an authority extended it
  tip_number      TEXT    CHECK (length(tip_number) <= 40), -- of the CyberTipline report
  ts_tip          INTEGER,
  ts_started      INTEGER NOT NULL,
  ts_until        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS legal_hold_due ON legal_hold (ts_until);

-- One object in R2, hold/<hold_ref>/<mac>. mac: keyed hash of the content, so that the same content is stored once.
CREATE TABLE IF NOT EXISTS legal_hold_item (
  hold_ref        TEXT    NOT NULL REFERENCES legal_hold (hold_ref) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('record', 'evidence', 'original')),
  evidence_id     INTEGER,                                  -- of its bytes; the rest is in the record
  mac             TEXT    NOT NULL,
  bytes           INTEGER NOT NULL,
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (hold_ref, mac)
) STRICT, WITHOUT ROWID;

-- Requests to open a hold, and who agreed: only two admins together can open it, and only while both are still its admins.
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

-- ---------------------------------------------------------------------------------------------- games

CREATE TABLE IF NOT EXISTS credit_entry (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  amount          INTEGER NOT NULL,
  reason          TEXT    NOT NULL CHECK (reason IN ('rating', 'buster', 'identify', 'cooties', 'crop', 'jury')),
  ref             TEXT    NOT NULL,                         -- what was paid for; a second entry for the same is refused
  ts_created      INTEGER NOT NULL,
  UNIQUE (profile_id, reason, ref)
) STRICT;
CREATE INDEX IF NOT EXISTS credit_entry_day ON credit_entry (profile_id, reason, ts_created, amount);
CREATE TRIGGER IF NOT EXISTS credit_of_new_entry AFTER INSERT ON credit_entry BEGIN
  UPDATE profile SET credits = credits + new.amount WHERE id = new.profile_id;
END;

-- An item to vote on: a picture (Rating Game) or a text (GPT Buster). known: its known answer, which makes it a test item.
CREATE TABLE IF NOT EXISTS game_item (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  game            TEXT    NOT NULL CHECK (game IN ('rating', 'buster')),
  picture_id      INTEGER REFERENCES picture (id) ON DELETE CASCADE,
  subject_id      INTEGER REFERENCES profile (id) ON DELETE CASCADE,
  version         INTEGER NOT NULL,                         -- version of the picture, or a hash of the description
  body            TEXT    NOT NULL DEFAULT '',              -- only for texts of known origin; members' texts stay in their profiles
  known           TEXT,
  answer          TEXT,                                     -- by consensus or staff
  share           REAL    NOT NULL DEFAULT 0,               -- the answer's share of the weight of all votes
  votes           INTEGER NOT NULL DEFAULT 0,               -- all votes, whether they count or not
  tally           TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(tally)),   -- votes that count (games/rules.ts); {}: none yet
  by_staff        INTEGER NOT NULL DEFAULT 0 CHECK (by_staff IN (0, 1)),     -- whether staff gave the answer
  staff_reason    TEXT    CHECK (staff_reason IN ('divided', 'thin', 'doubted', 'owner')),   -- why it waits for staff; null: it does not
  ts_staff        INTEGER,                                  -- since when it waits for staff
  ts_review_asked INTEGER,                                  -- when the owner requested a review
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

-- Items issued to a player in one game on one day and not answered yet: only these can be voted on, so that nobody chooses what
-- to vote on. One row per pack, because it is written as a whole; its items become game_item rows with the first vote.
CREATE TABLE IF NOT EXISTS game_pack (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  game            TEXT    NOT NULL CHECK (game IN ('rating', 'buster', 'check')),
  day             INTEGER NOT NULL,                         -- days since 1970
  items           TEXT    NOT NULL CHECK (json_valid(items)),   -- {random number: item}
  issued          INTEGER NOT NULL DEFAULT 0,               -- open items issued this day, answered or not
  issued_known    INTEGER NOT NULL DEFAULT 0,               -- test items issued this day
  PRIMARY KEY (profile_id, game, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS game_pack_old ON game_pack (day);

-- A player's record in one game. known: {"answer": [seen, right]} for test items.
CREATE TABLE IF NOT EXISTS game_record (
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
CREATE INDEX IF NOT EXISTS game_record_proven ON game_record (game, ts_last) WHERE proven = 1;
CREATE INDEX IF NOT EXISTS game_record_collusion ON game_record (collusion) WHERE collusion > 0;

-- The number of proven players who voted recently, counted every night; too few decide nothing.
CREATE TABLE IF NOT EXISTS game_pool (
  game            TEXT    PRIMARY KEY CHECK (game IN ('rating', 'buster', 'check')),
  voters          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- 3 2 1 Identify!: a player's open round; the solution never leaves the server before the player's answer.
CREATE TABLE IF NOT EXISTS identify_round (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  answer_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  picture_id      INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  options         TEXT    NOT NULL CHECK (json_valid(options) AND json_type(options) = 'array'
                  AND substr(options, 2, length(options) - 2) NOT GLOB '*[^0-9,]*'),   -- profile ids
  ts_created      INTEGER NOT NULL                          -- also the number under which the player loads the picture
) STRICT;
CREATE INDEX IF NOT EXISTS identify_round_answer ON identify_round (answer_id);
CREATE INDEX IF NOT EXISTS identify_round_picture ON identify_round (picture_id);

-- "Is it him?": a member's only or latest check. The stills are pictures that open once, in no list and no backup.
CREATE TABLE IF NOT EXISTS person_check (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  state           TEXT    NOT NULL CHECK (state IN ('posing', 'judging', 'staff', 'him', 'not_him', 'unclear', 'expired')),
  pose            TEXT    NOT NULL CHECK (json_valid(pose)),   -- of PersonCheckPose in packages/contract; {} once it is decided
  stills          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(stills)),   -- picture ids, until it is decided
  compared        TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(compared)),   -- "id:version" of each public picture not marked NSFW at that time
  refusals        INTEGER NOT NULL DEFAULT 0,               -- verdicts other than 'him', and checks that the member ended, since the last 'him'
  poses           INTEGER NOT NULL DEFAULT 1,               -- drawn on the day of ts_started
  key             INTEGER,                                  -- the published position when the stills were handed in, until it is decided
  even_here       INTEGER NOT NULL DEFAULT 0 CHECK (even_here IN (0, 1)),   -- chosen in a country that punishes
  ts_started      INTEGER NOT NULL,                         -- when the pose was drawn
  ts_due          INTEGER,                                  -- while judged: when staff decide, or it expires
  ts_decided      INTEGER,
  ts_checked      INTEGER,                                  -- the badge: the first day of its month; null: none
  answers_needed  INTEGER NOT NULL DEFAULT 0                -- of the drawn judges, for a verdict
) STRICT;
CREATE INDEX IF NOT EXISTS person_check_due ON person_check (ts_due) WHERE ts_due IS NOT NULL;
CREATE INDEX IF NOT EXISTS person_check_staff ON person_check (ts_started) WHERE state = 'staff';
CREATE INDEX IF NOT EXISTS person_check_badge ON person_check (profile_id, ts_checked) WHERE ts_checked IS NOT NULL;

-- Who was drawn to compare: the first to answer decide. Deleted with the verdict.
CREATE TABLE IF NOT EXISTS person_check_seat (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,   -- who is checked
  judge_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  answer          TEXT    CHECK (answer IN ('him', 'not_him', 'unclear')),
  ts_shown        INTEGER,                                  -- when its first picture was fetched
  PRIMARY KEY (profile_id, judge_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS person_check_seat_judge ON person_check_seat (judge_id);

-- The stills go with the verdict, whatever it is and whoever gives it; the schedule deletes their bytes within a minute.
CREATE TRIGGER IF NOT EXISTS person_check_decided AFTER UPDATE OF state ON person_check
WHEN old.stills <> '[]' AND new.state NOT IN ('judging', 'staff')
BEGIN
  UPDATE once_view SET ts_due = 0 WHERE picture_id IN (SELECT value FROM json_each(old.stills));
  DELETE FROM person_check_seat WHERE profile_id = new.profile_id;
  UPDATE person_check SET stills = '[]', pose = '{}', ts_due = NULL, key = NULL WHERE profile_id = new.profile_id;
END;
CREATE TRIGGER IF NOT EXISTS person_check_of_gone_profile AFTER UPDATE OF status ON profile WHEN new.status <> 'active' BEGIN
  UPDATE person_check SET state = 'expired', refusals = refusals + (state <> 'posing')
  WHERE profile_id = new.id AND state IN ('posing', 'judging', 'staff');
END;

-- What was chosen in one country holds in no other, nor the next time.
CREATE TRIGGER IF NOT EXISTS person_check_of_ended_stay AFTER UPDATE OF country, ts_left ON travel_stay
WHEN new.country <> old.country OR new.ts_left IS NOT NULL
BEGIN
  UPDATE person_check SET even_here = 0 WHERE profile_id = new.profile_id;
END;

-- A public picture that nobody compared ends the badge. One marked NSFW does only if it replaces one that was compared; while it comes first,
-- the badge is not shown (members/checked).
CREATE TRIGGER IF NOT EXISTS person_check_of_new_picture AFTER INSERT ON picture
WHEN new.audience = 'public' AND new.hidden_by_staff = 0 AND NOT (new.nsfw_owner OR new.nsfw_community)
BEGIN
  UPDATE person_check SET ts_checked = NULL WHERE profile_id = new.profile_id AND ts_checked IS NOT NULL;
END;
CREATE TRIGGER IF NOT EXISTS person_check_of_changed_picture
AFTER UPDATE OF audience, version, nsfw_owner, nsfw_community, hidden_by_staff ON picture
WHEN new.audience = 'public' AND new.hidden_by_staff = 0
  AND (NOT (new.nsfw_owner OR new.nsfw_community) OR new.version <> old.version)
BEGIN
  UPDATE person_check SET ts_checked = NULL WHERE profile_id = new.profile_id AND ts_checked IS NOT NULL
    AND instr(compared, '"' || new.id || ':' || new.version || '"') = 0
    AND (NOT (new.nsfw_owner OR new.nsfw_community) OR instr(compared, '"' || new.id || ':'));
END;

CREATE TABLE IF NOT EXISTS crop_suggestion (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  picture_id      INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  version         INTEGER NOT NULL,
  owner_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  author_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  x               REAL    NOT NULL CHECK (x BETWEEN 0 AND 1),   -- fractions of the width and height, from the top left
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

-- You got Cooties!: the players. Only players can be tagged or listed.
CREATE TABLE IF NOT EXISTS cooties_player (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  brand           INTEGER NOT NULL,                         -- brand bit
  carrier         INTEGER NOT NULL DEFAULT 0 CHECK (carrier IN (0, 1)),
  from_id         INTEGER REFERENCES profile (id) ON DELETE SET NULL,
  tags            INTEGER NOT NULL DEFAULT 0,
  caught          INTEGER NOT NULL DEFAULT 0,
  ts_caught       INTEGER,
  ts_joined       INTEGER NOT NULL,
  square          INTEGER,                                  -- position.key >> 32, half a degree; null: cannot be found now
  random_order    INTEGER NOT NULL DEFAULT (abs(random() % 4503599627370496)), -- random order within a square
  PRIMARY KEY (brand, profile_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cooties_player_profile ON cooties_player (profile_id);
CREATE INDEX IF NOT EXISTS cooties_player_leader ON cooties_player (brand, tags DESC, caught, profile_id);
CREATE INDEX IF NOT EXISTS cooties_player_carrier ON cooties_player (brand) WHERE carrier = 1;
CREATE INDEX IF NOT EXISTS cooties_player_from ON cooties_player (from_id) WHERE from_id IS NOT NULL;
-- Who can be tagged where, with all columns that are shown. Squares are updated every hour and when a player opens the game, not
-- with each position report: they only narrow the search, and the position decides.
CREATE INDEX IF NOT EXISTS cooties_player_square ON cooties_player (brand, square, random_order, ts_caught, tags, caught)
WHERE carrier = 0 AND square IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS cooties_square_of_gone_position AFTER DELETE ON position BEGIN
  UPDATE cooties_player SET square = NULL WHERE profile_id = old.profile_id AND square IS NOT NULL;
END;

-- ---------------------------------------------------------------------------------------------- health notices

-- Notices waiting for their random time. Nothing in the database reveals who sent one: ids are random, rows are ordered by id, the time
-- of sending is not stored, and notices of one sender have nothing in common. The key of sender_mac is not in the database.
CREATE TABLE IF NOT EXISTS exposure_notice (
  id              TEXT    PRIMARY KEY,
  recipient_id    INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  brand           TEXT    NOT NULL,
  ts_due          INTEGER NOT NULL,                         -- a full hour
  ts_expires      INTEGER NOT NULL,                         -- deleted unsent if it would still reveal its sender then
  sender_mac      TEXT    NOT NULL DEFAULT ''               -- keyed hash of id, sender and recipient, so that a block can cancel it
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS exposure_notice_due ON exposure_notice (ts_due);
CREATE INDEX IF NOT EXISTS exposure_notice_recipient ON exposure_notice (recipient_id);

-- Who was notified on which day: nobody is notified again for a while, whoever the sender.
CREATE TABLE IF NOT EXISTS exposure_recipient (
  recipient_id    INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  day             INTEGER NOT NULL                          -- days since 1970
) STRICT;
CREATE INDEX IF NOT EXISTS exposure_recipient_day ON exposure_recipient (day);

-- The day's salt under which senders are counted; deleted after the day, so that no count can be attributed to a member.
CREATE TABLE IF NOT EXISTS exposure_salt (
  day             INTEGER PRIMARY KEY,
  salt            TEXT    NOT NULL
) STRICT;

-- ---------------------------------------------------------------------------------------------- protective acts

CREATE TRIGGER IF NOT EXISTS act_of_deleted_account AFTER UPDATE OF ts_deleted ON account WHEN new.ts_deleted IS NOT old.ts_deleted BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('deleted', new.id, new.ts_deleted);
END;
CREATE TRIGGER IF NOT EXISTS act_of_purged_account AFTER DELETE ON account BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('purged', old.id, old.ts_deleted);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_login AFTER UPDATE OF email, password_hash ON account
WHEN (new.email <> old.email OR new.password_hash IS NOT old.password_hash) AND new.ts_deleted IS NULL BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('login', new.id,
    json_object('email', iif(new.email <> old.email, new.email, NULL), 'mailbox', new.mailbox, 'password', new.password_hash IS NOT old.password_hash));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_admin AFTER UPDATE OF admin_brand ON account WHEN new.admin_brand IS NOT old.admin_brand BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('admin', new.id, json_object('brand', new.admin_brand));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_session AFTER DELETE ON session
WHEN old.ts_expires > unixepoch() * 1000 AND EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('session', old.account_id, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_lock AFTER UPDATE OF lock_hash ON session WHEN new.lock_hash IS NOT old.lock_hash BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('lock', new.account_id, new.id, json_object('hash', new.lock_hash));
END;
CREATE TRIGGER IF NOT EXISTS act_of_removed_passkey AFTER DELETE ON passkey WHEN EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('passkey', old.account_id, old.id, json_object('credential_id', old.credential_id));
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_lockdown AFTER INSERT ON lockdown WHEN new.ts_until > 0 BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('lockdown', new.account_id, new.ts_until);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_lockdown AFTER UPDATE OF ts_until ON lockdown WHEN new.ts_until <> old.ts_until BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('lockdown', new.account_id, new.ts_until);
END;

CREATE TRIGGER IF NOT EXISTS act_of_changed_sight AFTER UPDATE OF hidden, own_hidden, shared_on, discreet_on ON profile
WHEN new.hidden <> old.hidden OR new.own_hidden IS NOT old.own_hidden OR new.shared_on <> old.shared_on OR new.discreet_on <> old.discreet_on
BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('sight', new.id, json_object('hides', ifnull(new.own_hidden, new.hidden),
    'restricted', new.own_hidden IS NOT NULL, 'brands', new.shared_on | new.discreet_on, 'discreet', new.discreet_on <> 0));
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_block AFTER INSERT ON block WHEN new.blocked_by_profile = 1 BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('block', new.profile_id, new.other_id, 1);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_block AFTER UPDATE OF blocked_by_profile ON block
WHEN new.blocked_by_profile <> old.blocked_by_profile BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('block', new.profile_id, new.other_id, new.blocked_by_profile);
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_block AFTER DELETE ON block
WHEN old.blocked_by_profile = 1 AND EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('block', old.profile_id, old.other_id, 0);
END;
-- Of every member, because one who is not discreet may be when a restore brings the like back.
CREATE TRIGGER IF NOT EXISTS act_of_ended_like AFTER UPDATE OF like_type ON profile_like
WHEN old.like_type = 'LIKE' AND new.like_type <> 'LIKE' BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('like', old.liker_id, old.liked_id);
END;
-- Only forgotten likes are removed, and those of discreet members alone show somebody.
CREATE TRIGGER IF NOT EXISTS act_of_removed_like AFTER DELETE ON profile_like
WHEN old.like_type = 'LIKE' AND EXISTS (SELECT 1 FROM profile WHERE id = old.liker_id AND discreet_on <> 0)
  AND EXISTS (SELECT 1 FROM profile WHERE id = old.liked_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('like', old.liker_id, old.liked_id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_opened_album AFTER INSERT ON album_grant WHEN new.state = 'granted' BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('album', new.owner_id, new.member_id, ifnull(new.ts_expires, 9007199254740991));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_album AFTER UPDATE OF state, ts_expires ON album_grant
WHEN new.state <> old.state OR new.ts_expires IS NOT old.ts_expires BEGIN
  INSERT INTO protective_act (kind, member, other, detail)
  VALUES ('album', new.owner_id, new.member_id, iif(new.state = 'granted', ifnull(new.ts_expires, 9007199254740991), 0));
END;
CREATE TRIGGER IF NOT EXISTS act_of_closed_album AFTER DELETE ON album_grant
WHEN old.state = 'granted' AND EXISTS (SELECT 1 FROM profile WHERE id = old.owner_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('album', old.owner_id, old.member_id, 0);
END;
-- By place and days, because ids of trips are reused. That past trips are erased is no act.
CREATE TRIGGER IF NOT EXISTS act_of_new_trip AFTER INSERT ON trip BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('trip', new.profile_id,
    json_object('cell', new.cell, 'day_from', new.day_from, 'day_to', new.day_to, 'state', iif(new.shown = 1, 'shown', 'unshown')));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_trip AFTER UPDATE OF shown ON trip WHEN new.shown IS NOT old.shown BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('trip', new.profile_id,
    json_object('cell', new.cell, 'day_from', new.day_from, 'day_to', new.day_to, 'state', iif(new.shown = 1, 'shown', 'unshown')));
END;
CREATE TRIGGER IF NOT EXISTS act_of_removed_trip AFTER DELETE ON trip
WHEN old.day_to >= unixepoch() / 86400 - 2 AND EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('trip', old.profile_id,
    json_object('cell', old.cell, 'day_from', old.day_from, 'day_to', old.day_to, 'state', 'removed'));
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_stay AFTER INSERT ON travel_stay BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('stay', new.profile_id, json_object('country', new.country, 'shown', new.shown,
    'hid', new.hid_member, 'withdrawn', new.pictures_withdrawn, 'muted', new.muted, 'seen', new.ts_seen, 'left', new.ts_left));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_stay AFTER UPDATE OF country, shown, hid_member, pictures_withdrawn, muted, ts_left ON travel_stay
WHEN (new.country, new.shown, new.hid_member, new.pictures_withdrawn, new.muted) <> (old.country, old.shown, old.hid_member, old.pictures_withdrawn, old.muted)
  OR new.ts_left IS NOT old.ts_left
BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('stay', new.profile_id, json_object('country', new.country, 'shown', new.shown,
    'hid', new.hid_member, 'withdrawn', new.pictures_withdrawn, 'muted', new.muted, 'seen', new.ts_seen, 'left', new.ts_left));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_picture AFTER UPDATE OF audience, hidden_by_staff ON picture
WHEN new.audience <> old.audience OR new.hidden_by_staff <> old.hidden_by_staff BEGIN
  INSERT INTO protective_act (kind, member, other, detail)
  VALUES ('picture', new.profile_id, new.id, json_object('private', new.audience = 'private', 'hidden', iif(new.hidden_by_staff = 3, 0, new.hidden_by_staff)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_removed_picture AFTER DELETE ON picture WHEN EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('picture', old.profile_id, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_action AFTER INSERT ON moderation_action BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('action', new.profile_id, new.id, json_object('case_ref', new.case_ref,
    'brand', new.brand, 'kind', new.kind, 'picture_id', new.picture_id, 'rule', new.rule, 'reason', new.reason, 'by_jury', new.by_jury,
    'ts_created', new.ts_created, 'ts_until', new.ts_until));
END;
CREATE TRIGGER IF NOT EXISTS act_of_lifted_action AFTER UPDATE OF ts_lifted ON moderation_action WHEN new.ts_lifted IS NOT NULL BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('action', new.profile_id, new.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_ban_mark AFTER INSERT ON ban_mark BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('mark', 0, new.id, json_object('kind', new.kind, 'mark', new.mark,
    'case_ref', new.case_ref, 'brand', new.brand, 'rule', new.rule, 'ts_created', new.ts_created, 'ts_until', new.ts_until,
    'sealed_print', hex(new.sealed_print)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_ban_mark AFTER DELETE ON ban_mark BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('mark', 0, old.id);
END;
-- Without values, which an act must not carry: who may read each field, and which are filled in.
CREATE TRIGGER IF NOT EXISTS act_of_changed_health AFTER UPDATE OF hiv_status, prep, doxy_pep, vaccines, last_test, audiences ON health_panel
WHEN new.audiences <> old.audiences OR new.vaccines <> old.vaccines OR (new.hiv_status IS NULL, new.prep IS NULL, new.doxy_pep IS NULL, new.last_test IS NULL)
  <> (old.hiv_status IS NULL, old.prep IS NULL, old.doxy_pep IS NULL, old.last_test IS NULL)
BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('health', new.profile_id, json_object('audiences', json(new.audiences), 'filled',
    json_object('hivStatus', new.hiv_status IS NOT NULL, 'prep', new.prep IS NOT NULL, 'doxyPep', new.doxy_pep IS NOT NULL,
      'vaccines', new.vaccines <> '[]', 'lastTest', new.last_test IS NOT NULL)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_voice AFTER UPDATE OF id, audience, removed ON profile_voice
WHEN new.id = old.id AND (new.audience <> old.audience OR new.removed <> old.removed) BEGIN
  INSERT INTO protective_act (kind, member, other, detail)
  VALUES ('voice', new.profile_id, new.id, json_object('private', new.audience = 'private', 'removed', new.removed <> 0));
END;
CREATE TRIGGER IF NOT EXISTS act_of_replaced_voice AFTER UPDATE OF id ON profile_voice WHEN new.id <> old.id BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('voice', old.profile_id, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_deleted_voice AFTER DELETE ON profile_voice WHEN EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('voice', old.profile_id, old.id);
END;
-- Lists are files that the operator has.
CREATE TRIGGER IF NOT EXISTS act_of_new_known_picture AFTER INSERT ON known_picture WHEN new.source NOT GLOB 'list:*' BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('known', 0, new.id, json_object('hash', new.hash, 'source', new.source,
    'rule', new.rule, 'ts_created', new.ts_created, 'sealed_print', hex(new.sealed_print)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_known_picture AFTER DELETE ON known_picture WHEN old.source NOT GLOB 'list:*' BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('known', 0, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_words AFTER INSERT ON lockdown WHEN new.words_hash IS NOT NULL BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('words', new.account_id, json_object('hash', new.words_hash));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_words AFTER UPDATE OF words_hash ON lockdown WHEN new.words_hash IS NOT old.words_hash BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('words', new.account_id, json_object('hash', new.words_hash));
END;
-- Words that were used end a lock-down.
CREATE TRIGGER IF NOT EXISTS act_of_ended_lockdown AFTER DELETE ON lockdown WHEN EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('words', old.account_id, json_object('hash', NULL)), ('lockdown', old.account_id, 0);
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_signal AFTER DELETE ON lockdown_signal WHEN EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('signal', old.account_id, old.id, json_object('token', hex(old.token_hash)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_met_taken_back AFTER DELETE ON met
WHEN EXISTS (SELECT 1 FROM profile WHERE id = old.author_id) AND EXISTS (SELECT 1 FROM profile WHERE id = old.about_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('met', old.author_id, old.about_id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_night AFTER INSERT ON tonight BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('tonight', new.profile_id, json_object('until', new.ts_until, 'wishes', new.wishes));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_night AFTER UPDATE ON tonight BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('tonight', new.profile_id, json_object('until', new.ts_until, 'wishes', new.wishes));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_night AFTER DELETE ON tonight
WHEN old.ts_until > unixepoch() * 1000 AND EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('tonight', old.profile_id, json_object('until', 0, 'wishes', 0));
END;

-- ---------------------------------------------------------------------------------------------- operations

-- A token that is also stored in the picture bucket and renewed each minute: a database that was emptied, replaced or restored has a
-- different one, and then sweeps of the bucket wait.
CREATE TABLE IF NOT EXISTS bucket_mark (
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  token           TEXT    NOT NULL,
  previous        TEXT    NOT NULL
) STRICT;

-- The size of each message database as last measured by the schedule; decides where a new pair's messages are stored.
CREATE TABLE IF NOT EXISTS message_database (
  number          INTEGER PRIMARY KEY CHECK (number > 0),
  bytes           INTEGER NOT NULL,
  ts_measured     INTEGER NOT NULL
) STRICT;

-- What admins of a brand have done of what the law asks before it opens, and, as 'open', its opening. Before that only its team sees it.
CREATE TABLE IF NOT EXISTS opening_step (
  brand           TEXT    NOT NULL,
  step            TEXT    NOT NULL,
  account_id      INTEGER REFERENCES account (id) ON DELETE SET NULL,
  ts_done         INTEGER NOT NULL,
  PRIMARY KEY (brand, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS opening_step_account ON opening_step (account_id);

-- Whom the team of a closed brand lets register; deleted when it opens.
CREATE TABLE IF NOT EXISTS opening_invitation (
  brand           TEXT    NOT NULL,
  mailbox         TEXT    NOT NULL,
  PRIMARY KEY (brand, mailbox)
) STRICT, WITHOUT ROWID;

-- How often a region missed the announcement of a change (docs/decisions/2026-11-23-cached-picture-access.md).
CREATE TABLE IF NOT EXISTS missed_announcement (
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  count           INTEGER NOT NULL
) STRICT;

-- Mails that are owed, and those that the mail service refused temporarily, until they are sent or expire: after some minutes for login links, a day at most.
CREATE TABLE IF NOT EXISTS mail_queue (
  id              INTEGER PRIMARY KEY,
  brand           TEXT    NOT NULL,
  sealed          TEXT    NOT NULL,                         -- the encrypted mail, so that no address or link can be read here
  attempts        INTEGER NOT NULL,
  ts_due          INTEGER NOT NULL,
  ts_expires      INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS mail_queue_due ON mail_queue (ts_due);
CREATE INDEX IF NOT EXISTS mail_queue_expires ON mail_queue (ts_expires);
