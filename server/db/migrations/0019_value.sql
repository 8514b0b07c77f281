CREATE TABLE "latest_value" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"field" text collate "C" NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"message" bigint NOT NULL,
	"parser" text collate "C" NOT NULL,
	"type" smallint NOT NULL,
	"numeric_type" smallint,
	"unit" smallint,
	"numeric" double precision,
	"text" text,
	"operational" boolean NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	CONSTRAINT "latest_value_pk" PRIMARY KEY("organization","number","field")
);
--> statement-breakpoint
CREATE TABLE "value" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"field" text collate "C" NOT NULL,
	"message" bigint NOT NULL,
	"parser" text collate "C" NOT NULL,
	"type" smallint NOT NULL,
	"numeric_type" smallint,
	"unit" smallint,
	"numeric" double precision,
	"text" text,
	"operational" boolean NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	CONSTRAINT "value_pk" PRIMARY KEY("organization","number","time","field","message","parser")
) PARTITION BY RANGE ("time");
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "parsed" jsonb;--> statement-breakpoint
ALTER TABLE "latest_value" ADD CONSTRAINT "latest_value_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;