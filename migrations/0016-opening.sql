-- A brand opens when its admins have ticked what the law asks first. Those with members are open already.
CREATE TABLE IF NOT EXISTS opening_step (
  brand           TEXT    NOT NULL,
  step            TEXT    NOT NULL,
  account_id      INTEGER REFERENCES account (id) ON DELETE SET NULL,
  ts_done         INTEGER NOT NULL,
  PRIMARY KEY (brand, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS opening_step_account ON opening_step (account_id);
CREATE TABLE IF NOT EXISTS opening_invitation (
  brand           TEXT    NOT NULL,
  mailbox         TEXT    NOT NULL,
  PRIMARY KEY (brand, mailbox)
) STRICT, WITHOUT ROWID;
INSERT INTO opening_step (brand, step, account_id, ts_done)
SELECT brand, 'open', NULL, 0 FROM (SELECT home_brand AS brand FROM account UNION SELECT brand FROM session);
