CREATE TABLE "access_request" (
	"organization" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "access_request_pk" PRIMARY KEY("organization","user_id")
);
--> statement-breakpoint
CREATE TABLE "creation_token" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"roles" text[] NOT NULL,
	"issued_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"used_for" text
);
--> statement-breakpoint
CREATE TABLE "invitation" (
	"organization" text collate "C" NOT NULL,
	"email" text NOT NULL,
	"roles" text[] DEFAULT '{}' NOT NULL,
	"invited_by" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitation_pk" PRIMARY KEY("organization","email")
);
--> statement-breakpoint
CREATE TABLE "user_validation" (
	"organization" text collate "C" PRIMARY KEY NOT NULL,
	"email_regex" text DEFAULT '' NOT NULL,
	"providers" smallint[] DEFAULT '{}' NOT NULL,
	"require_verified_email" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_notification" (
	"organization" text collate "C" NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "email_notification_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text collate "C" NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"title" text collate "und-x-icu" NOT NULL,
	"mail" bigint,
	CONSTRAINT "email_notification_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
CREATE TABLE "email_preference" (
	"organization" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"event_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"device_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"tag_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"health_levels" text[] DEFAULT '{}' NOT NULL,
	"all_lifecycles" boolean DEFAULT false NOT NULL,
	CONSTRAINT "email_preference_pk" PRIMARY KEY("organization","user_id")
);
--> statement-breakpoint
CREATE TABLE "mail" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text DEFAULT 'email' NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "sign_in" (
	"user_id" text collate "C" NOT NULL,
	"id" text NOT NULL,
	"signed_in_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"client" text DEFAULT '' NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "sign_in_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "user_activity" (
	"organization" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"date" date NOT NULL,
	"action" text NOT NULL,
	"client" text NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "user_activity_pk" PRIMARY KEY("organization","user_id","date","action","client")
);
--> statement-breakpoint
CREATE TABLE "support_call" (
	"organization" text collate "C" NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "support_call_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"visit" bigint NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"rpc" text NOT NULL,
	"changes" boolean NOT NULL,
	"outcome" text,
	CONSTRAINT "support_call_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
CREATE TABLE "support_visit" (
	"organization" text collate "C" NOT NULL,
	"id" bigint NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"changes_allowed_at" timestamp (3) with time zone,
	CONSTRAINT "support_visit_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
CREATE TABLE "role_override" (
	"organization" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"roles" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "role_override_pk" PRIMARY KEY("organization","user_id")
);
--> statement-breakpoint
DROP INDEX "app_user_email";--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "email_verified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "sessions_revoked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "unit_preferences" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "membership" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "access_request" ADD CONSTRAINT "access_request_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_validation" ADD CONSTRAINT "user_validation_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_notification" ADD CONSTRAINT "email_notification_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_preference" ADD CONSTRAINT "email_preference_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_activity" ADD CONSTRAINT "user_activity_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_call" ADD CONSTRAINT "support_call_visit" FOREIGN KEY ("organization","visit") REFERENCES "public"."support_visit"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visit" ADD CONSTRAINT "support_visit_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_override" ADD CONSTRAINT "role_override_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_request_of_user" ON "access_request" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invitation_of_email" ON "invitation" USING btree ("email");--> statement-breakpoint
CREATE INDEX "email_notification_of_user" ON "email_notification" USING btree ("organization","user_id","time");--> statement-breakpoint
CREATE INDEX "mail_waiting" ON "mail" USING btree ("next_attempt_at") WHERE "mail"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "support_call_of_visit" ON "support_call" USING btree ("organization","visit","id");--> statement-breakpoint
CREATE INDEX "support_visit_of_user" ON "support_visit" USING btree ("organization","user_id","ends_at");--> statement-breakpoint
CREATE INDEX "role_override_of_user" ON "role_override" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_user_email" ON "app_user" USING btree (lower("email")) WHERE "app_user"."deleted_at" is null;