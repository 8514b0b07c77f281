CREATE TABLE "data_export" (
	"organization" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"status" smallint NOT NULL,
	"kind" text NOT NULL,
	"owners" text[] NOT NULL,
	"range_start" timestamp (3) with time zone,
	"range_end" timestamp (3) with time zone NOT NULL,
	"format" "bytea" NOT NULL,
	"expires_in" integer NOT NULL,
	"requested_by" text collate "C" NOT NULL,
	"email_subscribed" boolean NOT NULL,
	"units" jsonb NOT NULL,
	"hidden" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"error" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"rows_done" bigint DEFAULT 0 NOT NULL,
	"rows_total" bigint,
	"segment" integer DEFAULT 0 NOT NULL,
	"cursor" jsonb,
	CONSTRAINT "data_export_pk" PRIMARY KEY("organization","identifier")
);
--> statement-breakpoint
CREATE TABLE "export_file" (
	"organization" text collate "C" NOT NULL,
	"export" text collate "C" NOT NULL,
	"index" integer NOT NULL,
	"key" text collate "C" DEFAULT replace(gen_random_uuid()::text, '-', '') NOT NULL,
	"content" text collate "C" NOT NULL,
	"rows" bigint DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "export_file_pk" PRIMARY KEY("organization","export","index")
);
--> statement-breakpoint
CREATE TABLE "export_segment" (
	"organization" text collate "C" NOT NULL,
	"export" text collate "C" NOT NULL,
	"position" integer NOT NULL,
	"number" text collate "C" NOT NULL,
	"point" text collate "C",
	"field" text collate "C",
	"since" timestamp (3) with time zone,
	"until" timestamp (3) with time zone,
	"total" bigint NOT NULL,
	CONSTRAINT "export_segment_pk" PRIMARY KEY("organization","export","position")
);
--> statement-breakpoint
ALTER TABLE "file_content" ADD COLUMN "is_export" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "data_export" ADD CONSTRAINT "data_export_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_file" ADD CONSTRAINT "export_file_export" FOREIGN KEY ("organization","export") REFERENCES "public"."data_export"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_file" ADD CONSTRAINT "export_file_content" FOREIGN KEY ("organization","content") REFERENCES "public"."file_content"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_segment" ADD CONSTRAINT "export_segment_export" FOREIGN KEY ("organization","export") REFERENCES "public"."data_export"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_export_order" ON "data_export" USING btree ("organization","created_at","identifier");--> statement-breakpoint
CREATE INDEX "data_export_due" ON "data_export" USING btree ("organization","due_at") WHERE "data_export"."status" = 2;--> statement-breakpoint
CREATE UNIQUE INDEX "export_file_key" ON "export_file" USING btree ("organization","key");--> statement-breakpoint
CREATE INDEX "export_file_by_content" ON "export_file" USING btree ("organization","content");--> statement-breakpoint
CREATE INDEX "export_file_by_expiry" ON "export_file" USING btree ("organization","expires_at");