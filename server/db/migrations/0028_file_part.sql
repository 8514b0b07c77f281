CREATE TABLE "file_content" (
	"organization" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"size" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_content_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
CREATE TABLE "file_part" (
	"organization" text collate "C" NOT NULL,
	"content" text collate "C" NOT NULL,
	"index" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "file_part_pk" PRIMARY KEY("organization","content","index")
);
--> statement-breakpoint
CREATE TABLE "firmware" (
	"organization" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"version" text NOT NULL,
	"supported_device_types" text[] DEFAULT '{}' NOT NULL,
	"media_type" text NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "firmware_pk" PRIMARY KEY("organization","identifier")
);
--> statement-breakpoint
ALTER TABLE "file" RENAME COLUMN "content" TO "data";--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "content" text collate "C";--> statement-breakpoint
UPDATE "file" SET "content" = gen_random_uuid()::text WHERE "data" IS NOT NULL;--> statement-breakpoint
INSERT INTO "file_content" ("organization", "id", "size", "created_at")
SELECT "organization", "content", length("data"), "created_at" FROM "file" WHERE "data" IS NOT NULL;--> statement-breakpoint
INSERT INTO "file_part" ("organization", "content", "index", "data")
SELECT "organization", "content", i, substring("data" from i * 262144 + 1 for 262144)
FROM "file" CROSS JOIN LATERAL generate_series(0, (length("data") + 262143) / 262144 - 1) AS i
WHERE "data" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "file" DROP COLUMN "data";--> statement-breakpoint
ALTER TABLE "file" ADD COLUMN "key" text collate "C" DEFAULT replace(gen_random_uuid()::text, '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "file_content" ADD CONSTRAINT "file_content_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_part" ADD CONSTRAINT "file_part_content" FOREIGN KEY ("organization","content") REFERENCES "public"."file_content"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firmware" ADD CONSTRAINT "firmware_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_stored_content" FOREIGN KEY ("organization","content") REFERENCES "public"."file_content"("organization","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "file_key" ON "file" USING btree ("organization","key");--> statement-breakpoint
CREATE UNIQUE INDEX "file_by_content" ON "file" USING btree ("organization","content");--> statement-breakpoint
CREATE INDEX "file_by_expiry" ON "file" USING btree ("organization","expires_at");