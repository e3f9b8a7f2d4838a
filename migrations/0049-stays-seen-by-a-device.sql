-- A network ends no stay that a device began. What existing stays rest on is not known, so a device or the member ends them.
ALTER TABLE travel_stay ADD COLUMN seen_by_device INTEGER NOT NULL DEFAULT 1 CHECK (seen_by_device IN (0, 1));
ALTER TABLE travel_stay ADD COLUMN ts_elsewhere INTEGER;
