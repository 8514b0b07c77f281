ALTER TABLE "token" ADD COLUMN "parent_organization" text collate "C";--> statement-breakpoint
ALTER TABLE "token" ADD COLUMN "parent" bigint;--> statement-breakpoint
CREATE INDEX "token_by_parent" ON "token" USING btree ("parent_organization","parent");