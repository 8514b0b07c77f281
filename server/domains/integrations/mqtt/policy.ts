import { MQTTService } from '#proto/gen/hiber/mqtt_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const mqttPolicy = rpcs(MQTTService, {
  list: read('PUBLISHERS'),
  // The permission of each kind of event that is delivered is the service's to weigh.
  create: change('PUBLISHERS'),
  update: change('PUBLISHERS'),
  updateTags: change('PUBLISHERS'),
  enable: change('PUBLISHERS'),
  disable: change('PUBLISHERS'),
  delete: change('PUBLISHERS'),
  history: read('PUBLISHERS'),
});
