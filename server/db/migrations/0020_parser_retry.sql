CREATE TABLE "parser_retry" (
	"organization" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"messages" bigint[] NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"suppress_events" boolean NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "parser_retry_pk" PRIMARY KEY("organization","identifier")
);
--> statement-breakpoint
CREATE TABLE "parser_retry_device" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"parser" text collate "C" NOT NULL,
	"retry" text collate "C" NOT NULL,
	CONSTRAINT "parser_retry_device_pk" PRIMARY KEY("organization","number","parser")
);
--> statement-breakpoint
ALTER TABLE "latest_value" ADD COLUMN "sealed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "value" ADD COLUMN "sealed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "parser_retry" ADD CONSTRAINT "parser_retry_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parser_retry_device" ADD CONSTRAINT "parser_retry_device_retry" FOREIGN KEY ("organization","retry") REFERENCES "public"."parser_retry"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "value" DROP CONSTRAINT "value_pk";
--> statement-breakpoint
ALTER TABLE "value" ADD CONSTRAINT "value_pk" PRIMARY KEY("organization","number","field","time","message","parser");