CREATE TABLE "publisher" (
	"organization" text collate "C" NOT NULL,
	"id" bigint NOT NULL,
	"kind" text NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"event_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"device_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"tag_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"health_levels" text[] DEFAULT '{}' NOT NULL,
	"all_lifecycles" boolean DEFAULT false NOT NULL,
	"health_warning_period" integer DEFAULT 86400 NOT NULL,
	"health_warning_failure_percentage" integer DEFAULT 10 NOT NULL,
	"cooldown_step" smallint DEFAULT 0 NOT NULL,
	"in_cooldown_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"last_call_failed" boolean DEFAULT false NOT NULL,
	"auto_disabled" boolean DEFAULT false NOT NULL,
	"auto_disable_suspended_until" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "publisher_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
-- Webhooks are the publishers so far. The keys that refer to them are made once they are here.
INSERT INTO "publisher" (
	"organization", "id", "kind", "disabled", "event_filter", "device_filter", "tag_filter", "health_levels",
	"all_lifecycles", "health_warning_period", "health_warning_failure_percentage", "cooldown_step",
	"in_cooldown_until", "failing_since", "last_call_failed", "auto_disabled", "auto_disable_suspended_until",
	"lease_owner", "lease_until"
)
SELECT
	"organization", "id", 'webhook', "disabled", "event_filter", "device_filter", "tag_filter", "health_levels",
	"all_lifecycles", "health_warning_period", "health_warning_failure_percentage", "cooldown_step",
	"in_cooldown_until", "failing_since", "last_call_failed", "auto_disabled", "auto_disable_suspended_until",
	"lease_owner", "lease_until"
FROM "webhook";
--> statement-breakpoint
-- All kinds of publishers draw from one counter.
UPDATE "counter" SET "noun" = 'publisher' WHERE "noun" = 'webhook';
--> statement-breakpoint
ALTER TABLE "webhook" DROP CONSTRAINT "webhook_organization";
--> statement-breakpoint
ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_webhook";
--> statement-breakpoint
DROP INDEX "webhook_leased";--> statement-breakpoint
ALTER TABLE "publisher" ADD CONSTRAINT "publisher_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "publisher_leased" ON "publisher" USING btree ("lease_owner","organization") WHERE lease_owner is not null;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_publisher" FOREIGN KEY ("organization","id") REFERENCES "public"."publisher"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_publisher" FOREIGN KEY ("organization","webhook") REFERENCES "public"."publisher"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "disabled";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "event_filter";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "device_filter";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "tag_filter";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "health_levels";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "all_lifecycles";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "health_warning_period";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "health_warning_failure_percentage";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "cooldown_step";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "in_cooldown_until";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "failing_since";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "last_call_failed";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "auto_disabled";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "auto_disable_suspended_until";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "lease_owner";--> statement-breakpoint
ALTER TABLE "webhook" DROP COLUMN "lease_until";