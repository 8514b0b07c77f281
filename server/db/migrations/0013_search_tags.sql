-- Searches compare the name itself with ILIKE, which an index of lower(name) cannot serve.
DROP INDEX "tag_search";--> statement-breakpoint
CREATE INDEX "tag_search" ON "tag" USING gin ("organization","name" gin_trgm_ops);