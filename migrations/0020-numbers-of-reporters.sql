-- Each reporter has a number and a receipt of their own. Numbers from before counted the site's reports.
ALTER TABLE report_filing ADD COLUMN receipt TEXT;
UPDATE report_filing SET id = abs(random() % 281474976710656) + 1000000000 WHERE id < 1000000000;
