CREATE TABLE "device_note" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"id" bigint NOT NULL,
	"message" text NOT NULL,
	"message_history" text[] DEFAULT '{}' NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"last_updated_at" timestamp (3) with time zone,
	"author" text collate "C" NOT NULL,
	"guide" text collate "und-x-icu",
	"step" text collate "und-x-icu",
	"latitude" double precision,
	"longitude" double precision,
	CONSTRAINT "device_note_pk" PRIMARY KEY("organization","number","id")
);
--> statement-breakpoint
CREATE TABLE "device_note_file" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"note" bigint NOT NULL,
	"file" text collate "C" NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "device_note_file_pk" PRIMARY KEY("organization","number","note","file")
);
--> statement-breakpoint
ALTER TABLE "device_note" ADD CONSTRAINT "device_note_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_note_file" ADD CONSTRAINT "device_note_file_note" FOREIGN KEY ("organization","number","note") REFERENCES "public"."device_note"("organization","number","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_note_file" ADD CONSTRAINT "device_note_file_file" FOREIGN KEY ("organization","file") REFERENCES "public"."file"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_note_by_time" ON "device_note" USING btree ("organization","number","time","id");--> statement-breakpoint
CREATE INDEX "device_note_file_by_file" ON "device_note_file" USING btree ("organization","file");