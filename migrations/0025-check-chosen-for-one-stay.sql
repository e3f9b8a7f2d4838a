-- A check that was chosen in a country that punishes was on in all others, too, and for good.
CREATE TRIGGER IF NOT EXISTS person_check_of_ended_stay AFTER UPDATE OF country, ts_left ON travel_stay
WHEN new.country <> old.country OR new.ts_left IS NOT NULL
BEGIN
  UPDATE person_check SET even_here = 0 WHERE profile_id = new.profile_id;
END;
UPDATE person_check SET even_here = 0
WHERE NOT EXISTS (SELECT 1 FROM travel_stay y WHERE y.profile_id = person_check.profile_id AND y.ts_left IS NULL);
