-- An album that a message opened which a word hid from its reader: its owner sees the grant, the reader has none.
ALTER TABLE album_grant ADD COLUMN withheld INTEGER NOT NULL DEFAULT 0 CHECK (withheld IN (0, 1));
