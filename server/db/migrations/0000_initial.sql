CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE SEQUENCE message_id;
--> statement-breakpoint
CREATE SEQUENCE event_id;
--> statement-breakpoint
CREATE SEQUENCE webhook_delivery_id;
--> statement-breakpoint
CREATE SEQUENCE webhook_call_id;
--> statement-breakpoint
CREATE FUNCTION device_external_ids_text(ids text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_string(ids, ' ');
--> statement-breakpoint
CREATE TABLE "counter" (
	"organization" text collate "C" NOT NULL,
	"noun" text NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "counter_pk" PRIMARY KEY("organization","noun")
);
--> statement-breakpoint
CREATE TABLE "device_condition" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"source" text NOT NULL,
	"health_level" text collate "und-x-icu" NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_condition_pk" PRIMARY KEY("organization","number","source")
);
--> statement-breakpoint
CREATE TABLE "device" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"type" smallint DEFAULT 0 NOT NULL,
	"lifecycle" smallint NOT NULL,
	"health_level" text collate "und-x-icu" NOT NULL,
	"gateway" text collate "C",
	"gateway_brand" text,
	"sensor_brand" text collate "und-x-icu" DEFAULT '' NOT NULL,
	"device_type" text collate "und-x-icu" DEFAULT '' NOT NULL,
	"peripherals" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"gps" boolean DEFAULT false NOT NULL,
	"custom_antenna" text DEFAULT '' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"secure_notes" text DEFAULT '' NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"time_zone" text,
	"transmission_interval" integer,
	"expected_transmission_rate" integer,
	"numeric_value_types" smallint[] DEFAULT '{}' NOT NULL,
	"external_ids" text[] DEFAULT '{}' NOT NULL,
	"frequency" smallint,
	"battery_replaced_at" timestamp (3) with time zone,
	"valve_open" boolean,
	"valve_line_status" smallint,
	"hardware_production_batch" text DEFAULT '' NOT NULL,
	"manufacturer" text DEFAULT '' NOT NULL,
	"required_firmware" text,
	"last_message_id" bigint,
	"last_message_sent_at" timestamp (3) with time zone,
	"last_message_received_at" timestamp (3) with time zone,
	"last_message_body" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (lower((name || ' ' || number || ' ' || replace(number, ' ', '') || ' '
          || device_external_ids_text(external_ids) || ' ' || device_type || ' ' || sensor_brand || ' ' || notes)
          collate "und-x-icu")) STORED NOT NULL,
	CONSTRAINT "device_pk" PRIMARY KEY("organization","number")
);
--> statement-breakpoint
CREATE TABLE "event" (
	"organization" text collate "C" NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"id" bigint DEFAULT nextval('event_id') NOT NULL,
	"type" smallint NOT NULL,
	"number" text collate "C",
	"publisher" bigint,
	"tags" bigint[] DEFAULT '{}' NOT NULL,
	"health_level" text,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"resolve_identifier" text,
	"resolved_at" timestamp (3) with time zone,
	"body" "bytea" NOT NULL,
	CONSTRAINT "event_pk" PRIMARY KEY("organization","time","id")
) PARTITION BY RANGE ("time");
--> statement-breakpoint
CREATE TABLE "device_file" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"file" text collate "C" NOT NULL,
	CONSTRAINT "device_file_pk" PRIMARY KEY("organization","number","file")
);
--> statement-breakpoint
CREATE TABLE "file" (
	"organization" text collate "C" NOT NULL,
	"identifier" text collate "C" NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"media_type" text NOT NULL,
	"content" "bytea",
	"url" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "file_pk" PRIMARY KEY("organization","identifier")
);
--> statement-breakpoint
CREATE TABLE "tag_file" (
	"organization" text collate "C" NOT NULL,
	"tag" bigint NOT NULL,
	"file" text collate "C" NOT NULL,
	CONSTRAINT "tag_file_pk" PRIMARY KEY("organization","tag","file")
);
--> statement-breakpoint
CREATE TABLE "health_level" (
	"organization" text collate "C" NOT NULL,
	"level" text collate "und-x-icu" NOT NULL,
	"severity" integer NOT NULL,
	"catch_all" boolean DEFAULT false NOT NULL,
	"color_data" jsonb NOT NULL,
	CONSTRAINT "health_level_pk" PRIMARY KEY("organization","level")
);
--> statement-breakpoint
CREATE TABLE "message" (
	"organization" text collate "C" NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"id" bigint DEFAULT nextval('message_id') NOT NULL,
	"number" text collate "C" NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"body" "bytea" NOT NULL,
	"sources" smallint[] DEFAULT '{}' NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"is_gateway_message" boolean DEFAULT false NOT NULL,
	"via_gateway_message" bigint,
	"metadata" jsonb,
	CONSTRAINT "message_pk" PRIMARY KEY("organization","received_at","id")
) PARTITION BY RANGE ("received_at");
--> statement-breakpoint
CREATE TABLE "organization" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"parent" text collate "C",
	"path" text[] NOT NULL,
	"display_name" text collate "und-x-icu" NOT NULL,
	"features" smallint[] DEFAULT '{}' NOT NULL,
	"is_business" boolean DEFAULT true NOT NULL,
	"vat_number" text DEFAULT '' NOT NULL,
	"address" jsonb,
	"billing_name" text DEFAULT '' NOT NULL,
	"billing_address" jsonb,
	"contact" jsonb,
	"avatar_url" text,
	"avatar_image" "bytea",
	"avatar_media_type" text,
	"contract_signature_date" date,
	"expected_transmission_rate" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_tag" (
	"organization" text collate "C" NOT NULL,
	"number" text collate "C" NOT NULL,
	"tag" bigint NOT NULL,
	CONSTRAINT "device_tag_pk" PRIMARY KEY("organization","number","tag")
);
--> statement-breakpoint
CREATE TABLE "tag" (
	"organization" text collate "C" NOT NULL,
	"id" bigint NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"type" text collate "und-x-icu" NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"location" jsonb,
	"outline" "polygon",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tag_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_tag" (
	"organization" text collate "C" NOT NULL,
	"webhook" bigint NOT NULL,
	"tag" bigint NOT NULL,
	CONSTRAINT "webhook_tag_pk" PRIMARY KEY("organization","webhook","tag")
);
--> statement-breakpoint
CREATE TABLE "token" (
	"organization" text collate "C" NOT NULL,
	"id" bigint NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"hash" "bytea" NOT NULL,
	"type" smallint NOT NULL,
	"organization_permissions" smallint[] DEFAULT '{}' NOT NULL,
	"user_permissions" smallint[] DEFAULT '{}' NOT NULL,
	"roles" text[] DEFAULT '{}' NOT NULL,
	"limit_impersonation" jsonb,
	"minimized" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used" date,
	"expiry_warned_at" timestamp (3) with time zone,
	"expired_notified_at" timestamp (3) with time zone,
	CONSTRAINT "token_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text collate "und-x-icu" NOT NULL,
	"default_organization" text collate "C",
	"mission_control_settings" text DEFAULT '{}' NOT NULL,
	"accepted_tac_at" timestamp (3) with time zone,
	"password_reset_recommended" boolean DEFAULT false NOT NULL,
	"password_reset_recommended_reason" text,
	"support_permissions" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "membership" (
	"organization" text collate "C" NOT NULL,
	"user_id" text collate "C" NOT NULL,
	"roles" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "membership_pk" PRIMARY KEY("organization","user_id")
);
--> statement-breakpoint
CREATE TABLE "webhook" (
	"organization" text collate "C" NOT NULL,
	"id" bigint NOT NULL,
	"description" text collate "und-x-icu" DEFAULT '' NOT NULL,
	"url" text collate "und-x-icu" NOT NULL,
	"secret" text,
	"content_type" smallint DEFAULT 0 NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"hmac_header_name" text DEFAULT '' NOT NULL,
	"custom_headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"certificate_id" bigint,
	"event_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"device_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"tag_filter" jsonb DEFAULT '{"include":[],"exclude":[]}'::jsonb NOT NULL,
	"health_levels" text[] DEFAULT '{}' NOT NULL,
	"all_lifecycles" boolean DEFAULT false NOT NULL,
	"health_warning_period" integer DEFAULT 86400 NOT NULL,
	"health_warning_failure_percentage" integer DEFAULT 10 NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"cooldown_step" smallint DEFAULT 0 NOT NULL,
	"in_cooldown_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"last_call_failed" boolean DEFAULT false NOT NULL,
	"auto_disabled" boolean DEFAULT false NOT NULL,
	"auto_disable_suspended_until" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "webhook_pk" PRIMARY KEY("organization","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_call" (
	"organization" text collate "C" NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"id" bigint DEFAULT nextval('webhook_call_id') NOT NULL,
	"webhook" bigint NOT NULL,
	"delivery" bigint,
	"url" text NOT NULL,
	"headers" jsonb NOT NULL,
	"body_proto" "bytea" NOT NULL,
	"body_json" text NOT NULL,
	"status" integer,
	"successful" boolean NOT NULL,
	"error" text DEFAULT '' NOT NULL,
	"manual" boolean DEFAULT false NOT NULL,
	"milliseconds" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "webhook_call_pk" PRIMARY KEY("organization","time","id")
) PARTITION BY RANGE ("time");
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"organization" text collate "C" NOT NULL,
	"webhook" bigint NOT NULL,
	"id" bigint DEFAULT nextval('webhook_delivery_id') NOT NULL,
	"event_time" timestamp (3) with time zone NOT NULL,
	"event_id" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_delivery_pk" PRIMARY KEY("organization","webhook","id")
);
--> statement-breakpoint
ALTER TABLE "device_condition" ADD CONSTRAINT "device_condition_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_condition" ADD CONSTRAINT "device_condition_health_level" FOREIGN KEY ("organization","health_level") REFERENCES "public"."health_level"("organization","level") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "device" ADD CONSTRAINT "device_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device" ADD CONSTRAINT "device_health_level" FOREIGN KEY ("organization","health_level") REFERENCES "public"."health_level"("organization","level") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "device_file" ADD CONSTRAINT "device_file_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_file" ADD CONSTRAINT "device_file_file" FOREIGN KEY ("organization","file") REFERENCES "public"."file"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file" ADD CONSTRAINT "file_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_file" ADD CONSTRAINT "tag_file_tag" FOREIGN KEY ("organization","tag") REFERENCES "public"."tag"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_file" ADD CONSTRAINT "tag_file_file" FOREIGN KEY ("organization","file") REFERENCES "public"."file"("organization","identifier") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "health_level" ADD CONSTRAINT "health_level_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization" ADD CONSTRAINT "organization_parent" FOREIGN KEY ("parent") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_tag" ADD CONSTRAINT "device_tag_device" FOREIGN KEY ("organization","number") REFERENCES "public"."device"("organization","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_tag" ADD CONSTRAINT "device_tag_tag" FOREIGN KEY ("organization","tag") REFERENCES "public"."tag"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag" ADD CONSTRAINT "tag_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_tag" ADD CONSTRAINT "webhook_tag_webhook" FOREIGN KEY ("organization","webhook") REFERENCES "public"."webhook"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_tag" ADD CONSTRAINT "webhook_tag_tag" FOREIGN KEY ("organization","tag") REFERENCES "public"."tag"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token" ADD CONSTRAINT "token_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_user" ADD CONSTRAINT "app_user_default_organization" FOREIGN KEY ("default_organization") REFERENCES "public"."organization"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_organization" FOREIGN KEY ("organization") REFERENCES "public"."organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook" FOREIGN KEY ("organization","webhook") REFERENCES "public"."webhook"("organization","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_by_name" ON "device" USING btree ("organization","name","number","lifecycle");--> statement-breakpoint
CREATE INDEX "device_by_activity" ON "device" USING btree ("organization","last_message_received_at" DESC NULLS LAST,"number" DESC NULLS LAST,"lifecycle");--> statement-breakpoint
CREATE INDEX "device_by_health" ON "device" USING btree ("organization","health_level","lifecycle");--> statement-breakpoint
CREATE INDEX "device_by_lifecycle" ON "device" USING btree ("organization","lifecycle");--> statement-breakpoint
CREATE INDEX "device_by_gateway" ON "device" USING btree ("organization","gateway");--> statement-breakpoint
CREATE INDEX "device_search" ON "device" USING gin ("organization","search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "device_external_ids" ON "device" USING gin ("external_ids");--> statement-breakpoint
CREATE INDEX "event_by_device" ON "event" USING btree ("organization","number","time","id");--> statement-breakpoint
CREATE INDEX "event_by_type" ON "event" USING btree ("organization","type","time","id");--> statement-breakpoint
CREATE INDEX "event_unresolved_publisher" ON "event" USING btree ("organization","publisher") WHERE "event"."publisher" is not null and "event"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "event_unresolved" ON "event" USING btree ("organization","resolve_identifier") WHERE "event"."resolve_identifier" is not null and "event"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "device_file_by_file" ON "device_file" USING btree ("organization","file");--> statement-breakpoint
CREATE INDEX "tag_file_by_file" ON "tag_file" USING btree ("organization","file");--> statement-breakpoint
CREATE INDEX "message_by_device" ON "message" USING btree ("organization","number","sent_at","id");--> statement-breakpoint
CREATE INDEX "message_by_sent" ON "message" USING btree ("organization","sent_at","id");--> statement-breakpoint
CREATE INDEX "message_by_id" ON "message" USING btree ("organization","id");--> statement-breakpoint
CREATE INDEX "organization_descent" ON "organization" USING gin ("path");--> statement-breakpoint
CREATE INDEX "organization_children" ON "organization" USING btree ("parent","display_name","id");--> statement-breakpoint
CREATE INDEX "device_tag_by_tag" ON "device_tag" USING btree ("organization","tag","number");--> statement-breakpoint
CREATE INDEX "tag_by_name" ON "tag" USING btree ("organization","name","id");--> statement-breakpoint
CREATE INDEX "tag_search" ON "tag" USING gin ("organization",lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "tag_label" ON "tag" USING btree ("organization","type","name");--> statement-breakpoint
CREATE INDEX "webhook_tag_by_tag" ON "webhook_tag" USING btree ("organization","tag","webhook");--> statement-breakpoint
CREATE INDEX "token_by_hash" ON "token" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "token_by_name" ON "token" USING btree ("organization","name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_user_email" ON "app_user" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "membership_of_user" ON "membership" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_call_by_webhook" ON "webhook_call" USING btree ("organization","webhook","time","id");