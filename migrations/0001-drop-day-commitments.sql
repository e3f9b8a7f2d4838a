-- The public chain stays as it is; days are no longer committed to.
DROP INDEX IF EXISTS audit_day_waiting;
DROP TABLE IF EXISTS audit_day;
