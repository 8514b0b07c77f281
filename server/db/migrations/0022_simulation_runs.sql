ALTER TABLE "location_simulation" ADD COLUMN "last_run" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "message_simulation" ADD COLUMN "last_run" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "value_simulation" ADD COLUMN "sealed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "value_simulation" ADD COLUMN "last_run" timestamp (3) with time zone;