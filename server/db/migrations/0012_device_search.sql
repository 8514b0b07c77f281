-- The searched text of devices moves out of `device`: messages update that constantly, and its trigram index cost as much
-- as the rest of the update.
DROP INDEX "device_search";--> statement-breakpoint
CREATE TABLE "device_search" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "device_search_pk" PRIMARY KEY("organization","number")
);
--> statement-breakpoint
INSERT INTO "device_search" ("organization", "number", "text") SELECT "organization", "number", "search" FROM "device";--> statement-breakpoint
ALTER TABLE "device_search" ADD CONSTRAINT "device_search_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_search_text" ON "device_search" USING gin ("organization","text" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "device" DROP COLUMN "search";--> statement-breakpoint
CREATE FUNCTION device_search_text(d device) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN lower((d.name || ' ' || d.number || ' ' || replace(d.number, ' ', '') || ' ' || device_external_ids_text(d.external_ids)
    || ' ' || d.device_type || ' ' || d.sensor_brand || ' ' || d.notes) collate "und-x-icu");--> statement-breakpoint
-- Per statement, because a fleet is loaded in one.
CREATE FUNCTION device_search_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO device_search (organization, number, text)
    SELECT inserted.organization, inserted.number, device_search_text(inserted) FROM inserted;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER device_search_insert AFTER INSERT ON "device" REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION device_search_insert();--> statement-breakpoint
CREATE FUNCTION device_search_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE device_search SET text = device_search_text(NEW)
    WHERE organization = NEW.organization AND number = NEW.number;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER device_search_update AFTER UPDATE OF name, external_ids, device_type, sensor_brand, notes ON "device"
  FOR EACH ROW WHEN ((OLD.name, OLD.external_ids, OLD.device_type, OLD.sensor_brand, OLD.notes)
    IS DISTINCT FROM (NEW.name, NEW.external_ids, NEW.device_type, NEW.sensor_brand, NEW.notes))
  EXECUTE FUNCTION device_search_update();
