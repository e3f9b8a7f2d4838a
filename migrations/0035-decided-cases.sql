-- The desk's list of decided cases of a brand.
CREATE INDEX IF NOT EXISTS report_decided ON report (brand, ts_decided) WHERE state = 'decided';
