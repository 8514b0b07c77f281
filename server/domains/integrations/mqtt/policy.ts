import { MQTTService } from '#proto/gen/hiber/mqtt_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const mqttPolicy = rpcs(MQTTService, {
  list: read('PUBLISHERS'),
  // The service checks the permission for each kind of event that the publisher delivers.
  create: change('PUBLISHERS'),
  update: change('PUBLISHERS'),
  updateTags: change('PUBLISHERS'),
  enable: change('PUBLISHERS'),
  disable: change('PUBLISHERS'),
  delete: change('PUBLISHERS'),
  history: read('PUBLISHERS'),
});
