-- The planner takes this index also for finding a device's points. With the point before the number, that read all
-- entries of the organization, once per device of a transfer.
ALTER TABLE "process_point_device" DROP CONSTRAINT "process_point_device_overlap";--> statement-breakpoint
ALTER TABLE "process_point_device" ADD CONSTRAINT "process_point_device_overlap" EXCLUDE USING gist ("organization" WITH =, "number" WITH =, "point" WITH =, tstzrange("since", "until") WITH &&);
