import { SlackIntegrationService } from '#proto/gen/hiber/slack_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const slackPolicy = rpcs(SlackIntegrationService, {
  list: read('PUBLISHERS'),
  create: change('PUBLISHERS'),
  update: change('PUBLISHERS'),
  updateTags: change('PUBLISHERS'),
  enable: change('PUBLISHERS'),
  disable: change('PUBLISHERS'),
  delete: change('PUBLISHERS'),
  history: read('PUBLISHERS'),
});
