CREATE TABLE "parser" (
	"organization" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"definition" text NOT NULL,
	"simple" jsonb,
	"metadata_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"available_to_all" boolean DEFAULT false NOT NULL,
	"available_to" text[] DEFAULT '{}' NOT NULL,
	"unavailable_to" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "parser_pk" PRIMARY KEY("organization","identifier")
);
--> statement-breakpoint
CREATE TABLE "parser_field" (
	"organization" text collate "C" NOT NULL,
	"parser" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"field" text NOT NULL,
	"display_name" text collate "und-x-icu",
	"type" smallint NOT NULL,
	"numeric_type" smallint,
	"unit" smallint,
	"format" jsonb,
	"enum_values" jsonb,
	"priority" integer DEFAULT 0 NOT NULL,
	"encrypted" boolean DEFAULT false NOT NULL,
	"optional" boolean DEFAULT false NOT NULL,
	"operational" boolean DEFAULT false NOT NULL,
	CONSTRAINT "parser_field_pk" PRIMARY KEY("organization","parser","identifier")
);
--> statement-breakpoint
ALTER TABLE "parser" ADD CONSTRAINT "parser_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parser_field" ADD CONSTRAINT "parser_field_parser" FOREIGN KEY ("organization","parser") REFERENCES "public"."parser"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "parser_name" ON "parser" USING btree ("organization","name");--> statement-breakpoint
CREATE UNIQUE INDEX "parser_field_path" ON "parser_field" USING btree ("organization","parser","field");--> statement-breakpoint
CREATE INDEX "parser_field_by_identifier" ON "parser_field" USING btree ("organization","identifier");