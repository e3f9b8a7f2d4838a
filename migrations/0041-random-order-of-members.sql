-- Juries are drawn from the members after a random place.
CREATE INDEX IF NOT EXISTS profile_random_order ON profile (random_order) WHERE status = 'active';
