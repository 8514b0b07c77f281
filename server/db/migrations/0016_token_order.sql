DROP INDEX "token_by_name";--> statement-breakpoint
CREATE INDEX "token_by_name" ON "token" USING btree ("organization","name" collate "natural_order","id");