CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE TABLE "process_point" (
	"organization" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"type" smallint,
	"description" text DEFAULT '' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"time_zone" text,
	"expected_transmission_rate" integer,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search_text" text GENERATED ALWAYS AS (lower((identifier || ' ' || name || ' ' || description || ' ' || notes || ' ' || coalesce(time_zone, '')) collate "und-x-icu")) STORED NOT NULL,
	CONSTRAINT "process_point_pk" PRIMARY KEY("organization","identifier")
);
--> statement-breakpoint
CREATE TABLE "process_point_device" (
	"organization" text collate "C" NOT NULL,
	"point" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"shared_fields" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "process_point_device_pk" PRIMARY KEY("organization","point","number","since"),
	CONSTRAINT "process_point_device_order" CHECK ("process_point_device"."until" > "process_point_device"."since")
);
--> statement-breakpoint
CREATE TABLE "process_point_tag" (
	"organization" text collate "C" NOT NULL,
	"point" text collate "C" NOT NULL,
	"tag" bigint NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "process_point_tag_pk" PRIMARY KEY("organization","point","tag")
);
--> statement-breakpoint
CREATE TABLE "process_point_file" (
	"organization" text collate "C" NOT NULL,
	"point" text collate "C" NOT NULL,
	"file" text collate "C" NOT NULL,
	CONSTRAINT "process_point_file_pk" PRIMARY KEY("organization","point","file")
);
--> statement-breakpoint
CREATE TABLE "parser_device" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"parser" text collate "C" NOT NULL,
	"owner" text collate "C" NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "parser_device_pk" PRIMARY KEY("organization","number","parser")
);
--> statement-breakpoint
CREATE TABLE "parser_tag" (
	"organization" text collate "C" NOT NULL,
	"tag" bigint NOT NULL,
	"parser" text collate "C" NOT NULL,
	"owner" text collate "C" NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "parser_tag_pk" PRIMARY KEY("organization","tag","parser")
);
--> statement-breakpoint
ALTER TABLE "device_tag" ADD COLUMN "since" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "process_point" ADD CONSTRAINT "process_point_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "process_point_device" ADD CONSTRAINT "process_point_device_point" FOREIGN KEY ("organization","point") REFERENCES "public"."process_point"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "process_point_device" ADD CONSTRAINT "process_point_device_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "process_point_tag" ADD CONSTRAINT "process_point_tag_point" FOREIGN KEY ("organization","point") REFERENCES "public"."process_point"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "process_point_tag" ADD CONSTRAINT "process_point_tag_tag" FOREIGN KEY ("organization","tag") REFERENCES "public"."tag"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "process_point_file" ADD CONSTRAINT "process_point_file_point" FOREIGN KEY ("organization","point") REFERENCES "public"."process_point"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "process_point_file" ADD CONSTRAINT "process_point_file_file" FOREIGN KEY ("organization","file") REFERENCES "public"."file"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parser_device" ADD CONSTRAINT "parser_device_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parser_tag" ADD CONSTRAINT "parser_tag_tag" FOREIGN KEY ("organization","tag") REFERENCES "public"."tag"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "process_point_name" ON "process_point" USING btree ("organization","name");--> statement-breakpoint
CREATE INDEX "process_point_order" ON "process_point" USING btree ("organization","name" collate "natural_order","identifier");--> statement-breakpoint
CREATE INDEX "process_point_search" ON "process_point" USING gin ("organization","search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "process_point_device_by_device" ON "process_point_device" USING btree ("organization","number","since");--> statement-breakpoint
CREATE INDEX "process_point_tag_by_tag" ON "process_point_tag" USING btree ("organization","tag","point");--> statement-breakpoint
CREATE INDEX "process_point_file_by_file" ON "process_point_file" USING btree ("organization","file");--> statement-breakpoint
CREATE INDEX "parser_device_by_parser" ON "parser_device" USING btree ("owner","parser");--> statement-breakpoint
CREATE INDEX "parser_tag_by_parser" ON "parser_tag" USING btree ("owner","parser");--> statement-breakpoint
ALTER TABLE "process_point_device" ADD CONSTRAINT "process_point_device_overlap" EXCLUDE USING gist ("organization" WITH =, "point" WITH =, "number" WITH =, tstzrange("since", "until") WITH &&);
