DROP INDEX "tag_by_name";--> statement-breakpoint
CREATE INDEX "tag_order" ON "tag" USING btree ("organization","priority" DESC NULLS FIRST,"name" collate "natural_order","id");