-- A message may answer another of its conversation, and its recipient may react to it.
-- databases: main, messages
ALTER TABLE message ADD COLUMN reply_to INTEGER;
ALTER TABLE message ADD COLUMN reaction TEXT CHECK (instr(',heart,fire,laugh,wow,sad,thumb,', ',' || reaction || ',') > 0);
