-- Numbers within names by their value: Avocet 2 before Avocet 10; the rest as "und-x-icu" has it. In the older of ICU's two
-- spellings: the embedded database accepts und-u-kn-true and then sorts without it.
CREATE COLLATION IF NOT EXISTS "natural_order" (provider = icu, locale = 'und@colNumeric=yes');--> statement-breakpoint
DROP INDEX "device_by_name";--> statement-breakpoint
CREATE INDEX "device_by_name" ON "device" USING btree ("organization","name" collate "natural_order","number","lifecycle");