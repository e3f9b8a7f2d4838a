-- A notice, which needs no account, could hide a member's pictures and so end the badge for good. It is no longer shown without a compared picture.
DROP TRIGGER IF EXISTS person_check_of_first_picture;
