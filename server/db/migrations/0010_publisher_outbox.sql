-- The outbox and the history of webhooks become those of every publisher: what waits, and what was called, stays as it is.
ALTER TABLE "webhook_delivery" RENAME TO "publisher_delivery";--> statement-breakpoint
ALTER TABLE "publisher_delivery" RENAME COLUMN "webhook" TO "publisher";--> statement-breakpoint
ALTER TABLE "publisher_delivery" RENAME CONSTRAINT "webhook_delivery_pk" TO "publisher_delivery_pk";--> statement-breakpoint
ALTER TABLE "publisher_delivery" RENAME CONSTRAINT "webhook_delivery_publisher" TO "publisher_delivery_publisher";--> statement-breakpoint
ALTER SEQUENCE "webhook_delivery_id" RENAME TO "publisher_delivery_id";--> statement-breakpoint
ALTER TABLE "webhook_call" RENAME TO "publisher_call";--> statement-breakpoint
ALTER TABLE "publisher_call" RENAME COLUMN "webhook" TO "publisher";--> statement-breakpoint
ALTER TABLE "publisher_call" RENAME CONSTRAINT "webhook_call_pk" TO "publisher_call_pk";--> statement-breakpoint
ALTER INDEX "webhook_call_by_webhook" RENAME TO "publisher_call_by_publisher";--> statement-breakpoint
ALTER SEQUENCE "webhook_call_id" RENAME TO "publisher_call_id";--> statement-breakpoint
-- Partitions are found by their names (partitions.ts).
DO $$
DECLARE part text;
BEGIN
	FOR part IN
		SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = '"publisher_call"'::regclass
	LOOP
		EXECUTE format('ALTER TABLE %I RENAME TO %I', part, replace(part, 'webhook_call', 'publisher_call'));
	END LOOP;
END $$;
