CREATE TABLE "transfer" (
	"organization" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"sender" text collate "C" NOT NULL,
	"recipient" text collate "C" NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfer_pk" PRIMARY KEY("organization","identifier")
);
--> statement-breakpoint
CREATE TABLE "transfer_device" (
	"organization" text collate "C" NOT NULL,
	"transfer" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"hidden" boolean NOT NULL,
	CONSTRAINT "transfer_device_pk" PRIMARY KEY("organization","transfer","number")
);
--> statement-breakpoint
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_device" ADD CONSTRAINT "transfer_device_transfer" FOREIGN KEY ("organization","transfer") REFERENCES "public"."transfer"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transfer_order" ON "transfer" USING btree ("organization","created_at","identifier");--> statement-breakpoint
CREATE INDEX "transfer_device_by_number" ON "transfer_device" USING btree ("organization","number");