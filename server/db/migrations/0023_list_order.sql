CREATE INDEX "organization_order" ON "organization" USING btree ("display_name" collate "natural_order","id");--> statement-breakpoint
CREATE INDEX "parser_order" ON "parser" USING btree ("name" collate "natural_order","identifier");--> statement-breakpoint
CREATE INDEX "app_user_order" ON "app_user" USING btree (lower("email") collate "und-x-icu","id");