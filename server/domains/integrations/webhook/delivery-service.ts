import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';

import { Health } from '#proto/gen/hiber/base_pb.ts';
import {
  HealthCountResponseSchema,
  ResendResponseSchema,
  TestResponseSchema,
  WebhookDeliveryService,
} from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import { service } from '#server/app/service.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import { healthAt } from '#server/publishing/health.ts';
import { WEBHOOK_KIND } from '#server/publishing/targets/webhook/rows.ts';
import { scope } from '#server/session/scope.ts';

import { findRecordedCall, sendNow, testEvent } from './send-now.ts';
import { visibleCall } from './visible-call.ts';

export const webhookDeliveryService = service(WebhookDeliveryService, (app) => ({
  async healthCount(_, context) {
    const { organization } = scope(context);
    const health = healthAt(app.now());
    const rows = await app.db.orm
      .select({ health, webhooks: sql<number>`count(*)::int` })
      .from(publisher)
      .where(and(eq(publisher.organization, organization), eq(publisher.kind, WEBHOOK_KIND)))
      .groupBy(sql`1`);
    return create(HealthCountResponseSchema, {
      counts: [Health.OK, Health.WARNING, Health.ERROR].map((level) => ({
        health: level,
        webhooks: rows.find((row) => row.health === level)?.webhooks ?? 0,
      })),
    });
  },

  async test({ webhookId }, context) {
    const { organization } = scope(context);
    const key = { organization, id: Number(webhookId) };
    const outcome = await sendNow(app, key, testEvent(organization, app.now()), undefined);
    return create(TestResponseSchema, { outcome });
  },

  async resend({ webhookId, deliveryId }, context) {
    const caller = scope(context);
    const key = { organization: caller.organization, id: Number(webhookId) };
    const { delivery, body } = await findRecordedCall(app.db.orm, key, deliveryId);
    const { call, ...outcome } = await sendNow(app, key, body, delivery);
    return create(ResendResponseSchema, { outcome: { ...outcome, call: visibleCall(caller, call) } });
  },
}));
