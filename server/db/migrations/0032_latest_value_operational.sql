ALTER TABLE "latest_value" DROP CONSTRAINT "latest_value_pk";
--> statement-breakpoint
ALTER TABLE "latest_value" ADD CONSTRAINT "latest_value_pk" PRIMARY KEY("organization","number","field","operational");--> statement-breakpoint
-- Only fields whose values are operational some of the time have two newest values. Grouping reads the values once.
-- Looking up what each field lacks would read all values of nearly every field.
INSERT INTO "latest_value" ("organization", "number", "field", "time", "message", "parser", "type", "numeric_type", "unit", "numeric", "text", "operational", "sealed", "latitude", "longitude")
SELECT newest."organization", newest."number", newest."field", newest."time", newest."message", newest."parser", newest."type", newest."numeric_type", newest."unit", newest."numeric", newest."text", newest."operational", newest."sealed", newest."latitude", newest."longitude"
  FROM (
    SELECT "organization", "number", "field" FROM "value" GROUP BY 1, 2, 3
    HAVING bool_or("operational") AND NOT bool_and("operational")
  ) AS mixed
  JOIN "latest_value" AS known USING ("organization", "number", "field")
  CROSS JOIN LATERAL (
    SELECT * FROM "value"
     WHERE "value"."organization" = known."organization" AND "value"."number" = known."number"
       AND "value"."field" = known."field" AND "value"."operational" <> known."operational"
     ORDER BY "time" DESC, "message" DESC LIMIT 1
  ) AS newest;
