ALTER TABLE "publisher_delivery" ALTER COLUMN "event_time" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "publisher_delivery" ALTER COLUMN "event_id" DROP NOT NULL;--> statement-breakpoint
-- What is still to be told by mail waits for the publisher of mails from now on (targets/mail/pending.ts).
INSERT INTO "publisher" ("organization", "id", "kind") SELECT DISTINCT "organization", 0, 'mail' FROM "email_pending";--> statement-breakpoint
INSERT INTO "publisher_delivery" ("organization", "publisher") SELECT DISTINCT "organization", 0 FROM "email_pending";
