CREATE TABLE "location_simulation" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"area" jsonb,
	"locations" jsonb,
	"interval_seconds" integer NOT NULL,
	"sent" bigint DEFAULT 0 NOT NULL,
	"next_run" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "location_simulation_pk" PRIMARY KEY("organization","number")
);
--> statement-breakpoint
CREATE TABLE "message_simulation" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"messages_per_interval" smallint,
	"interval_seconds" integer,
	"bodies" text[] DEFAULT '{}' NOT NULL,
	"variable_bytes" integer[] DEFAULT '{}' NOT NULL,
	"area" jsonb,
	"locations" jsonb,
	"metadata" jsonb,
	"sent" bigint DEFAULT 0 NOT NULL,
	"next_run" timestamp (3) with time zone NOT NULL,
	"pause" text,
	CONSTRAINT "message_simulation_pk" PRIMARY KEY("organization","number")
);
--> statement-breakpoint
CREATE TABLE "simulation" (
	"organization" text collate "C" NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"inactivity_percentage" smallint DEFAULT 0 NOT NULL,
	"inactivity_min" integer DEFAULT 0 NOT NULL,
	"inactivity_max" integer DEFAULT 0 NOT NULL,
	"delay_percentage" smallint DEFAULT 0 NOT NULL,
	"delay_min" integer DEFAULT 0 NOT NULL,
	"delay_max" integer DEFAULT 0 NOT NULL,
	"messages_per_interval" smallint DEFAULT 1 NOT NULL,
	"interval_seconds" integer DEFAULT 3600 NOT NULL,
	CONSTRAINT "simulation_pk" PRIMARY KEY("organization")
);
--> statement-breakpoint
CREATE TABLE "value_simulation" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"field" text collate "C" NOT NULL,
	"field_identifier" text collate "C" NOT NULL,
	"parser" text collate "C" NOT NULL,
	"owner" text collate "C" NOT NULL,
	"type" smallint NOT NULL,
	"numeric_type" smallint,
	"unit" smallint,
	"rotation" jsonb NOT NULL,
	"interval_seconds" integer NOT NULL,
	"sent" bigint DEFAULT 0 NOT NULL,
	"next_run" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "value_simulation_pk" PRIMARY KEY("organization","number","field")
);
--> statement-breakpoint
ALTER TABLE "location_simulation" ADD CONSTRAINT "location_simulation_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_simulation" ADD CONSTRAINT "message_simulation_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulation" ADD CONSTRAINT "simulation_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "value_simulation" ADD CONSTRAINT "value_simulation_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "location_simulation_due" ON "location_simulation" USING btree ("organization","next_run");--> statement-breakpoint
CREATE INDEX "message_simulation_due" ON "message_simulation" USING btree ("organization","next_run") WHERE "message_simulation"."enabled";--> statement-breakpoint
CREATE INDEX "value_simulation_due" ON "value_simulation" USING btree ("organization","next_run");--> statement-breakpoint
-- The main types that a device measures (contract: ModemService) include those of the fields whose values it has. Fires
-- for new fields only, because a newer value updates its row. Leaves out unknown types, battery levels and unclassified
-- numbers.
CREATE FUNCTION device_numeric_types() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE device SET numeric_value_types = array(
      SELECT DISTINCT type FROM unnest(device.numeric_value_types || measured.types) AS type ORDER BY type)
    FROM (SELECT organization, number, array_agg(DISTINCT numeric_type) AS types FROM fresh
           WHERE numeric_type NOT IN (0, 11, 15) AND NOT operational
           GROUP BY organization, number) AS measured
   WHERE device.organization = measured.organization AND device.number = measured.number
     AND NOT device.numeric_value_types @> measured.types;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER device_numeric_types AFTER INSERT ON "latest_value" REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION device_numeric_types();
