import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { WebhookDeliveryService } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const webhookPolicy = rpcs(WebhookService, {
  list: read('PUBLISHERS'),
  get: read('PUBLISHERS'),
  history: read('PUBLISHERS'),
  create: change('PUBLISHERS'),
  update: change('PUBLISHERS'),
  updateWebhooks: change('PUBLISHERS'),
  updateFilter: change('PUBLISHERS'),
  updateTags: change('PUBLISHERS'),
  enable: change('PUBLISHERS'),
  disable: change('PUBLISHERS'),
  delete: change('PUBLISHERS'),
});

export const webhookDeliveryPolicy = rpcs(WebhookDeliveryService, {
  healthCount: read('PUBLISHERS'),
  // These count as changes because they call the receiver.
  test: change('PUBLISHERS'),
  resend: change('PUBLISHERS'),
});
