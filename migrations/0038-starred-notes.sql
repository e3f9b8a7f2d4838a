CREATE INDEX IF NOT EXISTS profile_note_starred ON profile_note (author_id, ts_updated DESC, about_id) WHERE instr(private_tags, '"★"');
