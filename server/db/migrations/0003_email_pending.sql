CREATE TABLE "email_pending" (
	"organization" text collate "C" NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "email_pending_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"users" text[] NOT NULL,
	"happenings" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_pending_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
ALTER TABLE "email_pending" ADD CONSTRAINT "email_pending_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;