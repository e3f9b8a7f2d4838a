-- Waiting health notices told on which brand their sender was.
UPDATE exposure_notice SET brand = (SELECT a.home_brand FROM account a WHERE a.id = recipient_id);
