-- A check that its member ends counts as a refusal while staff decide it too, or an accomplice's report would give any number of draws.
DROP TRIGGER IF EXISTS person_check_of_gone_profile;
CREATE TRIGGER IF NOT EXISTS person_check_of_gone_profile AFTER UPDATE OF status ON profile WHEN new.status <> 'active' BEGIN
  UPDATE person_check SET state = 'expired', refusals = refusals + (state <> 'posing')
  WHERE profile_id = new.id AND state IN ('posing', 'judging', 'staff');
END;
