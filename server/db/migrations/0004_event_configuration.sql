CREATE TABLE "event_health" (
	"organization" text collate "C" NOT NULL,
	"type" smallint NOT NULL,
	"level" text collate "und-x-icu" NOT NULL,
	"expiry" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_health_pk" PRIMARY KEY("organization","type")
);
--> statement-breakpoint
CREATE TABLE "message_summary" (
	"organization" text collate "C" PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"period" integer,
	"align_to" timestamp (3) with time zone,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"include_empty" boolean DEFAULT false NOT NULL,
	"summarized_until" timestamp (3) with time zone
);
--> statement-breakpoint
DROP INDEX "event_unresolved";--> statement-breakpoint
ALTER TABLE "device_condition" ADD COLUMN "until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "device_condition" ADD COLUMN "lapsed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "event_health" ADD CONSTRAINT "event_health_level" FOREIGN KEY ("organization","level") REFERENCES "public"."health_level"("organization","level") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "message_summary" ADD CONSTRAINT "message_summary_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_condition_expiring" ON "device_condition" USING btree ("until") WHERE "device_condition"."until" is not null and not "device_condition"."lapsed";--> statement-breakpoint
CREATE INDEX "event_by_resolve_identifier" ON "event" USING btree ("organization","resolve_identifier") WHERE "event"."resolve_identifier" is not null;--> statement-breakpoint
CREATE INDEX "event_by_health_level" ON "event" USING btree ("organization","health_level","time","id") WHERE "event"."health_level" is not null;