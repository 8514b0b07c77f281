CREATE TABLE "rate_limit" (
	"key" text PRIMARY KEY NOT NULL,
	"clear_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "rate_limit_clear" ON "rate_limit" USING btree ("clear_at");--> statement-breakpoint
CREATE INDEX "webhook_leased" ON "webhook" USING btree ("lease_owner","organization") WHERE lease_owner is not null;