-- When the member removed a device's push subscription. One that its push service gave up is renewed by the device.
ALTER TABLE session ADD COLUMN ts_push_removed INTEGER;
