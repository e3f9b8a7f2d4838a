-- What opens once counts as opened when its bytes have arrived.
ALTER TABLE once_view ADD COLUMN ts_tried INTEGER;
ALTER TABLE once_view ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
